// Puts the page together.

const TENTH = 0.1;

// How a training began and where it is now: means over the first and the last tenth of its steps.
function ends(points) {
  if (!points || points.y.length < 2) return null;
  const count = Math.max(1, Math.round(points.y.length * TENTH));
  return [mean(points.y.slice(0, count)), mean(points.y.slice(-count))];
}

// Twins are in the validation set, or among the problems to train on.
function seriesOfTwins(series) {
  return [series.eval_impossible_pass_rate, series.impossible_pass_rate].find((points) => points?.x.length);
}

function overview() {
  const node = byId("overview");
  const stepped = report.sources.some((source) => source.kind !== "scored");
  const twins = report.sources.some(({ series, figures }) => seriesOfTwins(series) || figures.impossible_pass_rate !== null);
  const heads = ["source", "completions", "problems", "reward", "pass@1", "solved by any", "best of N", "no difference", "not scored"];
  if (twins) heads.splice(5, 0, "twins passed");
  const table = element("table", { class: "figures" },
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {}, head)))));
  const body = element("tbody");
  report.sources.forEach((source, number) => {
    const { figures } = source;
    const course = (name, show, points = source.series[name]) => {
      const found = source.kind === "scored" ? null : ends(points);
      if (found) return `${show(found[0])} → ${show(found[1])}`;
      return show(figures[name]);
    };
    body.append(element("tr", {},
      element("th", { scope: "row" }, element("span", { class: "dot", colour: `var(--source-${number % 8})` }), source.label,
        element("small", {}, source.made_by.join(", "))),
      ...[
        source.completions ? source.completions.toLocaleString("en") : "–",
        figures.problems ? figures.problems.toLocaleString("en") : "–",
        course("reward", figure),
        course("pass_at_1", share),
        ...(twins ? [course("impossible_pass_rate", share, seriesOfTwins(source.series))] : []),
        course("pass_at_all", share),
        course("best_of_n", figure),
        course("frac_zero_std", share),
        source.completions ? source.unscored.toLocaleString("en") : "–",
      ].map((value) => element("td", {}, value))));
  });
  table.append(body);
  node.append(element("div", { class: "card scroll" }, table));
  report.certificates.forEach((line) => node.append(element("p", { class: "note" }, line)));
  if (stepped) {
    node.append(element("p", { class: "note" }, "Of a training: the mean over the first tenth of its steps → over the last tenth."));
  }
  node.hidden = false;
}

function health() {
  const found = report.sources.flatMap((source) => source.findings.map((each) => ({ source, ...each })));
  const watched = report.sources.some((source) => source.kind !== "scored");
  if (!watched) return;
  const node = byId("health");
  node.hidden = false;
  if (!found.length) {
    node.append(element("p", { class: "card fine" }, "✓ The rules of health have found nothing in these logs."));
    return;
  }
  const list = element("ul", { class: "findings" });
  for (const same of alike(found)) list.append(findingCard(same));
  node.append(list);
}

// A rule that has told the same again and again is one thing to know.
function alike(found) {
  const groups = new Map();
  for (const each of found) {
    const key = JSON.stringify([each.source.label, each.rule, each.severity, each.advice]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups.values();
}

function findingCard(same) {
  const { source, rule, severity, advice } = same[0];
  const several = report.sources.length > 1 ? `${source.label}, ` : "";
  const times = same.length > 1 ? `, ${same.length} times` : "";
  const told = same.length > 3 ? [same[0], same.at(-1)] : same;
  return element("li", { class: `card ${severity === "critical" ? "critical" : "warning"}` },
    element("div", { class: "finding-head" },
      element("b", {}, rule), element("span", { class: "severity" }, severity),
      element("span", { class: "muted" }, `${several}${source.places} ${same[0].at ?? "–"}${times}`)),
    ...told.map((each, at) => element("p", {},
      at ? element("span", { class: "muted" }, `${source.places} ${each.at ?? "–"}: `) : null,
      `${each.seen}.${each.stops ? " The run stops." : ""}`)),
    element("p", { class: "advice" }, ...withCode(advice)));
}

// Text in which what stands between backquotes is code.
function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

function problems() {
  const withSome = report.sources.map((source, number) => ({ source, number })).filter(({ source }) => source.problems.id?.length);
  if (!withSome.length) return;
  const node = byId("problems");
  node.hidden = false;
  let { source, number } = withSome[0];
  let kind = "never";
  const kinds = {
    never: ["never solved", (at) => source.problems.passed[at] === 0],
    always: ["always solved", (at) => source.problems.passed[at] === source.problems.tries[at]],
    sometimes: ["sometimes solved", (at) => source.problems.passed[at] > 0 && source.problems.passed[at] < source.problems.tries[at]],
  };
  const fitting = (name) => source.problems.id.map((_, at) => at).filter(kinds[name][1]);
  kind = Object.keys(kinds).find((name) => fitting(name).length) ?? kind;
  const value = (name) => (at) => source.problems[name][at];
  const column = (name, title, width, show, right = true) => ({ name, title, width, right, cell: (at) => show(value(name)(at)), key: value(name) });
  const table = new LongTable([
    column("id", "problem", "minmax(140px, 3fr)", String, false),
    column("tries", "completions", "96px", String),
    column("passed", "passed", "76px", String),
    column("mean", "mean reward", "100px", figure),
    column("best", "best reward", "96px", figure),
    column("ms", "mean ms", "80px", (ms) => (ms ? ms.toFixed(0) : "–")),
  ], { open: (at) => completions.only(source.problems.id[at], number), label: "Problems" });
  const tabs = element("div", { class: "chips", role: "group", "aria-label": "Problems" });
  const show = () => {
    tabs.replaceChildren(...Object.entries(kinds).map(([name, [title]]) =>
       element("button", {
        type: "button", class: "chip", "aria-pressed": String(name === kind), "data-kind": name,
        onclick: () => { kind = name; show(); },
      }, `${title} `, element("b", {}, fitting(name).length.toLocaleString("en")))));
    table.show(fitting(kind));
  };
  if (withSome.length > 1) {
    node.append(element("p", {}, element("select", {
      "aria-label": "Source",
      onchange: (event) => { ({ source, number } = withSome[Number(event.target.value)]); show(); showCurves(); },
    }, ...withSome.map((each, at) => element("option", { value: at }, each.source.label)))));
  }
  table.node.classList.add("short");
  const curves = element("div");
  const showCurves = () => {
    const most = counted(source.curves.length, "problem");
    curves.replaceChildren(...(source.curves.length ? section(
      "Rewards that change most",
      `The mean reward at each step, from 0 to 1, of the ${most} for which the last third of the steps differs most from the first; each leads to its completions.`,
      curvesOf(source, number, { open: (problem) => completions.only(problem, number) }),
    ) : []));
  };
  node.append(tabs, table.node, element("p", { class: "note" }, "A row leads to the problem's completions."), curves);
  showCurves();
  show();
}

function keys(event) {
  if (panel.row === null || event.target.matches("input, select")) return;
  const [before, after] = panel.neighbours(panel.row);
  if (event.key === "Escape") panel.close();
  else if (event.key === "j" && after !== null) panel.open(after);
  else if (event.key === "k" && before !== null) panel.open(before);
}

// The library comes compressed too; its text is one that the policy names.
async function loadLibrary() {
  const script = element("script");
  script.textContent = await unpacked(embedded("library"));
  document.head.append(script);
}

async function start() {
  theme.start(redrawAll);
  matchMedia("print").addEventListener("change", redrawAll);
  document.addEventListener("keydown", keys);
  report = await unpackedJson(embedded("summary"));
  details.open("details");
  problemTexts.open("problems");
  byId("notice").hidden = true;
  document.title = `${report.sources.map((source) => source.label).join(", ")} · ocaml-reward report`;
  overview();
  health();
  problems();
  completions.start();
  for (const link of document.querySelectorAll("nav a")) {
    link.hidden = link.hash !== "#pictures" && byId(link.hash.slice(1)).hidden;
  }
  await pause();
  await loadLibrary();
  const node = byId("pictures");
  node.hidden = false;
  // All are there for whoever prints or captures the page without scrolling.
  for (const picture of allPictures()) {
    addPicture(node.querySelector(".grid"), picture);
    await pause();
  }
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  byId("notice").hidden = false;
  byId("notice").textContent = `This report cannot be shown: ${error.message}`;
  throw error;
});
