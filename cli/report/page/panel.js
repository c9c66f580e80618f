// The panel beside the page: one completion, or two of a group against each other.

const panel = {
  row: null,
  other: null,
  neighbours: () => [null, null],
  opened: () => {},
  before: null,

  async open(row, other = null) {
    if (this.row === null) this.before = document.activeElement;
    this.row = row;
    this.other = other;
    this.opened(row);
    const [completion, second, problem] = await Promise.all(
      [details.of(row), other === null ? null : details.of(other), problemOf(row)]);
    if (this.row !== row || this.other !== other) return;
    const node = byId("panel");
    node.classList.toggle("two", other !== null);
    node.replaceChildren(this.head(row), ...(second ? this.both(row, other, completion, second) : this.one(row, completion, problem)));
    node.hidden = false;
    node.scrollTop = 0;
    document.body.classList.add("beside");
    node.focus({ preventScroll: true });
  },

  close() {
    byId("panel").hidden = true;
    document.body.classList.remove("beside");
    this.row = null;
    this.opened(null);
    this.before?.focus?.({ preventScroll: true });
  },

  head(row) {
    const [previous, next] = this.neighbours(row);
    const step = (to, sign, title) =>
      element("button", { type: "button", disabled: to === null, title, onclick: () => this.open(to) }, sign);
    return element("div", { class: "panel-head" },
      element("h3", {}, report.rows.problem[row]),
      element("div", { class: "buttons" },
        step(previous, "↑", "The one before (k)"), step(next, "↓", "The next one (j)"),
        element("button", { type: "button", title: "Close (Esc)", class: "close", onclick: () => this.close() }, "✕")));
  },

  one(row, completion, problem) {
    return [
      this.about(row),
      this.chooser(row),
      sumView(row, completion),
      ...promptView(problem),
      ...(completion.said ? section("Said before", "Earlier tries, and what the model was told of each.", conversation(completion.said)) : []),
      ...section("Code", codeNotes(completion), creditLegend(completion), codeView(completion)),
      ...rawView(completion),
      ...(completion.blame ? section("Where the mistake may be", null, blameList(completion)) : []),
      ...(completion.checks ? section("Checks", checkNotes(problem), checkList(completion.checks, problem)) : []),
      ...(completion.through
        ? section("Checks through holes", "What checks came to where the code that does not type or parse was left out; nothing is paid for it.", checkList(completion.through, problem))
        : []),
      ...(completion.regions ? section("Parts of the code", null, regionList(completion)) : []),
      element("p", { class: "note made" }, `Graded by ${completion.made}.`),
    ];
  },

  both(row, other, completion, second) {
    const column = (at, shown) => element("div", {}, this.about(at), sumView(at, shown));
    return [
      this.chooser(row),
      element("div", { class: "columns" }, column(row, completion), column(other, second)),
      ...section("Difference", null, diffView(completion, second)),
    ];
  },

  about(row) {
    const { rows, sources } = report;
    const facts = [
      rows.step[row] !== null ? `step ${rows.step[row]}` : null,
      rows.split[row] === "eval" ? "validation" : null,
      `completion ${rows.index[row]}`,
      sources.length > 1 ? sources[rows.source[row]].label : null,
      rows.ms[row] ? `${rows.ms[row]} ms` : null,
    ].filter(Boolean);
    return element("p", { class: "about" },
      pill(rows.verdict[row]), element("strong", { class: "reward" }, figure(rows.reward[row])),
      element("span", { class: "muted" }, facts.join(" · ")));
  },

  // The other completions of the same problem, at the same step of the same source.
  chooser(row) {
    const group = groupOf(row).filter((each) => each !== row);
    if (!group.length) return null;
    const { rows } = report;
    const choose = element("select", {
      "aria-label": "Compare with",
      onchange: (event) => this.open(row, event.target.value === "" ? null : Number(event.target.value)),
    }, element("option", { value: "" }, "compare with another of its group…"));
    for (const each of group) {
      choose.append(element("option", { value: each, selected: each === this.other },
        `completion ${rows.index[each]}: ${figure(rows.reward[each])}, ${words(rows.verdict[each])}`));
    }
    return element("p", { class: "chooser" }, choose);
  },
};

const GROUP_MOST = 500;

function groupOf(row) {
  const { source, problem, step, split } = report.rows;
  const found = [];
  for (let at = 0; at < problem.length && found.length < GROUP_MOST; at += 1) {
    if (problem[at] === problem[row] && source[at] === source[row] && step[at] === step[row] && split[at] === split[row]) found.push(at);
  }
  return found;
}

function section(title, note, ...content) {
  return [element("h4", {}, title), note ? element("p", { class: "note" }, note) : null, ...content].filter(Boolean);
}

function conversation(said) {
  return element("div", { class: "said" }, ...said.map(([who, text]) =>
    element("div", { class: who === "assistant" ? "try" : "told" }, element("span", { class: "what" }, who), element("pre", {}, text))));
}

function codeNotes(completion) {
  const notes = [];
  if (completion.cut) notes.push(`${completion.cut.toLocaleString("en")} more characters are not shown.`);
  if (!completion.code) notes.push("No code was found in the completion.");
  if (completion.forbidden) notes.push(`Forbidden: ${completion.forbidden.join("; ")}.`);
  return notes.join(" ") || null;
}

function sumView(row, completion) {
  if (completion.fault) {
    return element("p", { class: "message error" }, `Not scored, ${completion.fault}`);
  }
  const table = element("table", { class: "sum" });
  for (const [part, earned, available, why] of completion.credits ?? []) {
    table.append(element("tr", {},
      element("th", {}, part),
      element("td", { class: "amount" }, figure(earned)),
      element("td", { class: "muted" }, available === null ? "" : `of ${figure(available, 2)}`),
      element("td", {}, meter(earned, available, `var(--credit-${part})`), element("span", { class: "muted" }, why))));
  }
  const line = (name, value, text, kind) => element("tr", { class: kind },
    element("th", {}, name), element("td", { class: "amount" }, figure(value)), element("td", { colspan: 2 }, text ?? ""));
  if (completion.penalties) table.append(line("sum", completion.sum ?? 0, "", "total"));
  for (const [code, effect, left, evidence, text] of completion.penalties ?? []) {
    table.append(line(code, left, [effect, evidence, text].filter(Boolean).join("; "), "penalty"));
  }
  table.append(line("reward", report.rows.reward[row], report.verdicts[report.rows.verdict[row]], "total"));
  return table;
}

function meter(earned, available, colour) {
  if (!available) return "";
  return element("span", { class: "meter" },
    element("span", { colour, style: { width: `${Math.min(100, (100 * earned) / available)}%` } }));
}

const SUSPECTS = 3;
const MARKS = { passed: "✓", met_hole: "?" };

function checkList(checks, problem) {
  const place = problem.cases ? "case" : "line";
  const list = element("ul", { class: "checks" });
  for (const [number, line, outcome, detail] of checks) {
    list.append(element("li", { class: `check-${outcome === "passed" || outcome === "met_hole" ? outcome : "bad"}` },
      element("span", { class: "mark" }, MARKS[outcome] ?? "✗"),
      element("span", {}, `check ${number}, ${place} ${line} of the tests: ${words(outcome)}`),
      ...checkTexts(problem, line).map((text) => element("code", { class: "source" }, text)),
      detail ? element("code", {}, detail) : null));
  }
  return list;
}

function blameList(completion) {
  const lines = (completion.code ?? "").split("\n");
  const starts = startsOf(lines);
  return element("ul", { class: "regions" }, ...completion.blame.slice(0, SUSPECTS).map(([line, column, endLine, endColumn, weight]) => {
    const [from, to] = spanOf(lines, starts, [line, column, endLine, endColumn]) ?? [0, 0];
    return element("li", {},
      element("span", { class: `${likelihood(weight)} badge` }, `${Math.round(100 * weight)} %`),
      element("span", {}, `line ${line}: `), element("code", {}, shortened(completion.code.slice(from, to).split("\n")[0], 40)));
  }));
}

function regionList(completion) {
  const place = offsets(completion.code ?? "");
  const list = element("ul", { class: "regions" });
  for (const [start, stop, mark, sentence] of completion.regions) {
    const from = place[Math.min(start, place.length - 1)];
    const text = completion.code.slice(from, place[Math.min(stop, place.length - 1)]);
    const line = completion.code.slice(0, from).split("\n").length;
    list.append(element("li", {},
      element("span", { class: `region-${mark} badge` }, mark),
      element("span", {}, `line ${line}: `), element("code", {}, shortened(text.split("\n")[0], 40)),
      element("span", { class: "muted" }, sentence)));
  }
  return list;
}
