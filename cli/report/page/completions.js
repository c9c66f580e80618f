// The table of completions, and what narrows it.

const filters = { text: "", verdicts: new Set(), problem: "", source: "", low: null, high: null, first: null, last: null };

const completions = {
  table: null,
  form: null,
  texts: [],
  search: 0,

  start() {
    const { rows, sources } = report;
    const node = byId("completions");
    if (!report.kept) return;
    node.hidden = false;
    const several = sources.length > 1;
    const stepped = rows.step.some((step) => step !== null);
    const column = (name, title, width, cell, right = true) => ({ name, title, width, cell, right, key: (row) => rows[name][row] });
    this.table = new LongTable([
      column("problem", "problem", "minmax(120px, 2fr)", (row) => rows.problem[row], false),
      several ? column("source", "source", "minmax(80px, 1fr)", (row) => sources[rows.source[row]].label, false) : null,
      // What a narrow screen shows comes first.
      column("reward", "reward", "60px", (row) => figure(rows.reward[row])),
      column("verdict", "verdict", "minmax(118px, 1fr)", (row) => pill(rows.verdict[row]), false),
      stepped ? column("step", "step", "56px", (row) => `${rows.step[row] ?? "–"}${rows.split[row] === "eval" ? " v" : ""}`) : null,
      column("index", "#", "44px", (row) => String(rows.index[row])),
      { ...column("passed", "checks", "76px", (row) => `${rows.passed[row]}/${rows.checks[row]}`),
        key: (row) => (rows.checks[row] ? rows.passed[row] / rows.checks[row] : null) },
      column("errors", "errors", "66px", (row) => String(rows.errors[row] ?? "–")),
      column("ms", "ms", "70px", (row) => (rows.ms[row] ? rows.ms[row].toFixed(0) : "–")),
    ].filter(Boolean), { open: (row) => panel.open(row), label: "Completions" });
    panel.neighbours = (row) => this.table.around(row);
    panel.opened = (row) => this.table.choose(row);
    this.count = element("p", { class: "note", id: "count", role: "status" });
    node.append(this.controls(stepped, several), this.count, this.table.node);
    this.apply();
  },

  controls(stepped, several) {
    const { rows, sources } = report;
    const input = (name, label, attributes, read) => {
      const made = element("input", {
        ...attributes, id: `filter-${name}`,
        oninput: (event) => { filters[name] = read(event.target.value); this.apply(); },
      });
      return element("label", {}, element("span", {}, label), made);
    };
    // What belongs together stays together where lines are short.
    const range = (low, high) => element("div", { class: "range" }, low, high);
    const number = (value) => (value === "" || Number.isNaN(Number(value)) ? null : Number(value));
    const known = [...new Set(rows.problem)].sort();
    const counts = new Map();
    for (const verdict of rows.verdict) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const chips = element("div", { class: "chips", role: "group", "aria-label": "Verdicts" });
    for (const verdict of Object.keys(report.verdicts).filter((each) => counts.has(each))) {
      chips.append(element("button", {
        type: "button", class: "chip", colour: `var(--${verdict})`, "aria-pressed": "false", "data-verdict": verdict,
        title: report.verdicts[verdict],
        onclick: (event) => {
          const pressed = !filters.verdicts.delete(verdict);
          if (pressed) filters.verdicts.add(verdict);
          event.currentTarget.setAttribute("aria-pressed", String(pressed));
          this.apply();
        },
      }, `${words(verdict)} `, element("b", {}, counts.get(verdict).toLocaleString("en"))));
    }
    const scale = { type: "number", min: 0, max: 1, step: 0.05 };
    const form = element("form", { class: "filters", onsubmit: (event) => event.preventDefault(), onreset: () => this.clear() },
      input("text", "search completions and messages", { type: "search", placeholder: "List.fold_left" }, (value) => value.trim().toLowerCase()),
      input("problem", "problem", { type: "search", list: "known-problems", placeholder: "all" }, (value) => value),
      element("datalist", { id: "known-problems" }, ...known.slice(0, 2000).map((value) => element("option", { value }))),
      several ? element("label", {}, element("span", {}, "source"),
        element("select", { id: "filter-source", onchange: (event) => { filters.source = event.target.value; this.apply(); } },
          element("option", { value: "" }, "all"),
          ...sources.map((source, at) => element("option", { value: at }, source.label)))) : null,
      range(input("low", "reward from", scale, number), input("high", "to", scale, number)),
      stepped ? range(input("first", "step from", { type: "number" }, number), input("last", "to", { type: "number" }, number)) : null,
      element("button", { type: "reset" }, "Clear"));
    this.form = form;
    this.chips = chips;
    return element("div", {}, form, chips);
  },

  clear() {
    Object.assign(filters, { text: "", problem: "", source: "", low: null, high: null, first: null, last: null });
    filters.verdicts.clear();
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", "false");
    this.table.unsort();
    this.apply();
  },

  // Show the completions of one problem.
  only(problem, source) {
    if (!this.form) return;
    this.form.reset();
    byId("filter-problem").value = filters.problem = problem;
    if (report.sources.length > 1) byId("filter-source").value = filters.source = String(source);
    this.apply();
    byId("completions").scrollIntoView();
  },

  fits(row) {
    const { rows } = report;
    const [reward, step] = [rows.reward[row], rows.step[row]];
    if (filters.verdicts.size && !filters.verdicts.has(rows.verdict[row])) return false;
    if (filters.source !== "" && rows.source[row] !== Number(filters.source)) return false;
    if (filters.problem && !rows.problem[row].includes(filters.problem)) return false;
    if (filters.low !== null && !(reward !== null && reward >= filters.low)) return false;
    if (filters.high !== null && !(reward !== null && reward <= filters.high)) return false;
    if (filters.first !== null && !(step !== null && step >= filters.first)) return false;
    return filters.last === null || (step !== null && step <= filters.last);
  },

  async apply() {
    const search = (this.search += 1);
    const candidates = [];
    for (let row = 0; row < report.kept; row += 1) if (this.fits(row)) candidates.push(row);
    const text = filters.text;
    if (!text) {
      this.present(candidates, "");
      return;
    }
    const found = [];
    const wanted = new Set(candidates);
    for (let number = 0; number < details.packed.length; number += 1) {
      if (number % 16 === 0) {
        this.present(found, `, searching: ${Math.floor((100 * number) / details.packed.length)} %`);
        await pause();
      }
      const rows = await this.textsOf(number);
      if (search !== this.search) return;
      rows.forEach((each, at) => {
        const row = number * details.size + at;
        if (wanted.has(row) && each.includes(text)) found.push(row);
      });
    }
    this.present(found, "");
  },

  async textsOf(number) {
    if (!this.texts[number]) {
      const chunk = await details.chunk(number);
      this.texts[number] = chunk.map((each, at) => [
        report.rows.problem[number * details.size + at],
        each.code ?? "",
        each.raw ?? "",
        ...(each.diagnostics ?? []).map((one) => one.message),
        ...(each.checks ?? []).map((one) => one[3]),
        ...(each.penalties ?? []).map((one) => one[0]),
        ...(each.forbidden ?? []),
      ].join("\n").toLowerCase());
    }
    return this.texts[number];
  },

  present(found, more) {
    this.table.show(found);
    const cut = report.kept < report.total
      ? ` The page holds ${report.kept.toLocaleString("en")} of ${report.total.toLocaleString("en")}, whole groups that were drawn by a hash; figures and pictures are of all.`
      : "";
    this.count.textContent = `${found.length.toLocaleString("en")} of ${counted(report.kept, "completion")}${more}.${cut}`;
  },
};
