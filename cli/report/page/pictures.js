// The pictures: each is left out where no source has what it shows.

const PARTS = ["structural", "type", "compile", "tests", "solved"];
const BUCKETS = 150;

function sourcesWith(name) {
  return report.sources
    .map((source, number) => ({ source, number, points: source.series[name] }))
    .filter(({ points }) => points && points.x.length);
}

// What a thing is called, where it may be one of several sources.
function labelled(source, name, { alone = false } = {}) {
  if (report.sources.length === 1) return name;
  return alone ? source.label : `${source.label}: ${name}`;
}

function places() {
  const found = new Set(report.sources.filter((each) => each.kind !== "scored").map((each) => each.places));
  return found.size === 1 ? [...found][0] : "step, or logged line";
}

function findingsOf(chart) {
  return report.sources.flatMap((source) =>
    source.findings.filter((each) => each.chart === chart && each.at !== null));
}

function spread(source, number, points) {
  const around = source.series.reward_std;
  if (!around) return [];
  const width = new Map(around.x.map((x, at) => [x, around.y[at]]));
  const at = points.x.map((_, index) => index).filter((index) => width.has(points.x[index]));
  const smooth = (values) => (values.length < MANY ? values : smoothed(values));
  const bound = (sign) =>
    smooth(at.map((index) => Math.min(1, Math.max(0, points.y[index] + sign * width.get(points.x[index])))));
  const edge = {
    type: "scatter", mode: "lines", x: at.map((index) => points.x[index]), line: { width: 0 },
    hoverinfo: "skip", showlegend: false, legendgroup: plain(labelled(source, "reward", { alone: true })),
  };
  return [
    { ...edge, y: bound(-1) },
    { ...edge, y: bound(1), fill: "tonexty", fillcolor: faded(sourceColour(number), 0.14) },
  ];
}

function evaluated(name, dash = "dot") {
  return sourcesWith(`eval_${name}`).map(({ source, number, points }) => ({
    type: "scatter", mode: "lines+markers", x: points.x, y: points.y,
    name: plain(labelled(source, "validation")),
    line: { color: theme.colour("ink"), dash, width: 1.5 },
    marker: { color: sourceColour(number), size: 8, symbol: "diamond", line: { width: 1, color: theme.colour("ink") } },
  }));
}

function rewards() {
  const found = sourcesWith("reward");
  if (!found.length) return null;
  return {
    title: "Reward", wide: true,
    note: "The mean of each step's completions; the band is one standard deviation to either side.",
    make: () => ({
      traces: [
        ...found.flatMap(({ source, number, points }) => [
          ...spread(source, number, points),
          ...lines(points, { name: labelled(source, "reward", { alone: true }), colour: sourceColour(number) }),
        ]),
        ...evaluated("reward"),
      ],
      findings: findingsOf("reward"),
      layout: { xaxis: axis(places()), yaxis: axis("reward", { rangemode: "tozero" }), height: 340, showlegend: true },
    }),
  };
}

const PASSES = { pass_at_1: "pass@1", pass_at_all: "solved by any", best_of_n: "best of N (reward)" };
const OF_PASSES = "pass@1, the share of problems that any completion solves (pass_at_all), and the mean of each problem's best reward.";

// Of one source all three in one picture, of several a picture each.
function passes() {
  const [only] = report.sources;
  if (report.sources.length > 1) {
    const others = { title: "Solved by any", note: "The share of problems that any completion solves (pass_at_all)." };
    return [
      compared(["pass_at_1"], { title: "pass@1", note: "The share of completions that pass, by problem.", mark: "passes" }),
      compared(["pass_at_all"], others),
      compared(["best_of_n"], { title: "Best of N", note: "The mean of each problem's best reward." }),
    ];
  }
  const names = Object.keys(PASSES).filter((name) => only.series[name]?.x.length);
  return names.length ? [compared(names, { title: "What passes", note: OF_PASSES, mark: "passes" })] : [];
}

function compared(names, { title, note, mark }) {
  const found = names.flatMap((name, at) => sourcesWith(name).map((each) => ({ ...each, name, at })));
  if (!found.length) return null;
  const alone = report.sources.length === 1;
  return {
    title, note,
    make: () => ({
      traces: found.flatMap(({ source, number, points, name, at }) => lines(points, {
        name: alone ? PASSES[name] : source.label, colour: sourceColour(alone ? at : number),
      })).concat(names.includes("pass_at_1") ? evaluated("pass_at_1") : []),
      findings: mark ? findingsOf(mark) : [],
      layout: { xaxis: axis(places()), yaxis: axis("", { range: [0, 1.02] }), showlegend: true },
    }),
  };
}

function course(name, title, note, extra = {}, { smooth = true, validation = false } = {}) {
  const found = [...sourcesWith(name), ...(validation ? sourcesWith(`eval_${name}`) : [])];
  if (!found.length) return null;
  const bands = report.bands[name] ?? [];
  const highest = Math.max(...found.flatMap(({ points }) => points.y));
  // A limit that is far away would flatten the curve.
  const near = bands.filter(([from, to]) => to !== null || from <= 2 * highest);
  const told = bands.map((band) => band[3]).join(" ");
  return {
    title, note: [note, told].filter(Boolean).join(" "),
    make: () => ({
      traces: found.flatMap(({ source, number, points }) =>
        lines(points, { name: labelled(source, title, { alone: true }), colour: sourceColour(number), smooth })),
      bands: near,
      findings: findingsOf(name),
      layout: {
        xaxis: axis(places()), yaxis: axis("", extra), height: 240,
        showlegend: found.length > 1,
      },
    }),
  };
}

// Means of so many neighbours that no more than BUCKETS are left.
function bucketed(values, combine) {
  const size = Math.max(1, Math.ceil(values.length / BUCKETS));
  const found = [];
  for (let at = 0; at < values.length; at += size) found.push(combine(values.slice(at, at + size)));
  return found;
}

const mean = (values) => values.reduce((sum, value) => sum + (value ?? 0), 0) / values.length;
const total = (values) => values.reduce((sum, value) => sum + value, 0);

function stacked(title, note, colours, rowsOf, { combine, unit, norm }) {
  const withSteps = report.sources.filter((source) => source.steps.x && source.steps.x.length > 1);
  return withSteps.map((source) => ({
    title: report.sources.length > 1 ? `${title}: ${source.label}` : title, note, legend: legendFor(rowsOf(source), colours).reverse(),
    make: () => {
      const x = bucketed(source.steps.x, (some) => some[0]);
      const traces = Object.entries(rowsOf(source))
        .filter(([, values]) => values.some((value) => value))
        .map(([name, values]) => ({
          type: "scatter", mode: "lines", stackgroup: "one", groupnorm: norm,
          name: words(name), x, y: bucketed(values, combine),
          line: { width: 0.5, color: theme.colour(colours(name)) }, fillcolor: faded(theme.colour(colours(name)), 0.75),
        }));
      return { traces, layout: { xaxis: axis(places()), yaxis: axis(unit), showlegend: false, margin: { l: 44, r: 14, t: 10, b: 36 } } };
    },
  }));
}

const legendFor = (rows, colours) =>
  Object.keys(rows).filter((name) => rows[name].some((value) => value)).map((name) => [name, colours(name)]);

// One bar for each source, for files that know of no steps.
function bars(title, note, colours, rowsOf, { unit, range }) {
  const without = report.sources.filter((source) => source.completions && !(source.steps.x?.length > 1));
  if (!without.length) return [];
  const rows = without.map(rowsOf);
  const all = Object.keys(rows[0]);
  const earning = all.filter((name) => rows.some((row) => row[name]));
  // Bars of no length still say what they are bars of; a picture without any has axes of nothing.
  const names = earning.length ? earning : all;
  return [{
    title, note, legend: names.map((name) => [name, colours(name)]),
    make: () => {
      const traces = names.map((name) => ({
        type: "bar", orientation: "h", name: words(name), x: rows.map((row) => row[name] ?? 0),
        y: without.map((source) => plain(shortened(source.label))), marker: { color: theme.colour(colours(name)) },
        hovertemplate: `${words(name)}: %{x:.3~f}<extra></extra>`,
      }));
      return {
        traces,
        layout: {
          barmode: "stack", hovermode: "closest", showlegend: false, margin: { l: 44, r: 14, t: 10, b: 36 },
          xaxis: axis(unit, { range }), yaxis: axis("", { autorange: "reversed" }),
          height: 90 + 40 * without.length,
        },
      };
    },
  }];
}

const sharesOf = (source) =>
  Object.fromEntries(Object.entries(source.verdicts).map(([name, count]) => [name, count / source.completions]));

function distribution() {
  const found = report.sources.map((source, number) => ({ source, number })).filter(({ source }) => source.completions);
  if (!found.length) return null;
  return {
    title: "Distribution of rewards", note: "The share of completions in each twentieth of the scale.",
    make: () => ({
      traces: found.map(({ source, number }) => {
        const all = total(source.bins) || 1;
        return {
          type: "bar", name: plain(source.label), opacity: found.length > 1 ? 0.65 : 1,
          x: source.bins.map((_, bin) => (bin + 0.5) / source.bins.length),
          y: source.bins.map((count) => count / all),
          customdata: source.bins.map((count, bin) => [count, bin / source.bins.length, (bin + 1) / source.bins.length]),
          hovertemplate: "%{customdata[1]:.2f} to %{customdata[2]:.2f}: %{customdata[0]} (%{y:.1%})<extra></extra>",
          marker: { color: sourceColour(number) },
        };
      }),
      layout: {
        barmode: "overlay", bargap: 0.06, hovermode: "closest", showlegend: found.length > 1,
        xaxis: axis("reward", { range: [0, 1] }), yaxis: axis("", { tickformat: ".0%" }),
      },
    }),
  };
}

function ranking(title, note, unit, rowsOf, clicked) {
  const found = report.sources
    .map((source, number) => ({ source, number, rows: rowsOf(source) }))
    .filter(({ rows }) => rows.length);
  if (!found.length) return null;
  const order = new Map();
  for (const { rows } of found) for (const [name, value] of rows) order.set(name, Math.max(order.get(name) ?? 0, value));
  const names = [...order].sort((one, other) => other[1] - one[1]).slice(0, 12).map(([name]) => name);
  return {
    title, note,
    make: () => ({
      traces: found.map(({ source, number, rows }) => {
        const values = new Map(rows);
        return {
          type: "bar", orientation: "h", name: plain(source.label), y: names.map((_, at) => at),
          x: names.map((name) => values.get(name) ?? 0), text: names.map(plain), textposition: "none",
          hovertemplate: `%{text}: %{x:.4~r} ${unit}<extra></extra>`, marker: { color: sourceColour(number) },
        };
      }),
      layout: {
        hovermode: "closest", showlegend: found.length > 1, xaxis: axis(unit),
        yaxis: axis("", {
          autorange: "reversed", tickvals: names.map((_, at) => at), ticktext: names.map((name) => plain(shortened(name))),
        }),
        height: 90 + names.length * (18 + 8 * found.length),
      },
    }),
  };
}

function slowest(source) {
  const { id = [], ms = [] } = source.problems;
  return id.map((name, at) => [name, ms[at]]).filter(([, value]) => value > 0)
    .sort((one, other) => other[1] - one[1]).slice(0, 12);
}

function allPictures() {
  const ofCredits = (source) => source.steps.credits;
  const credit = (name) => `credit-${name}`;
  const earned = "What the parts of the reward earn on average, before penalties.";
  const ended = "What completions came to, best below.";
  return [
    rewards(),
    ...passes(),
    course("impossible_pass_rate", "Impossible twins passed",
      "The share of the completions of impossible twins that pass, which only a cheat does.",
      { range: [0, 1.02], tickformat: ".0%" }, { smooth: false, validation: true }),
    course("frac_zero_std", "Groups without a difference",
      "frac_zero_std: the share of problems whose completions all earn the same, which teach nothing.", { range: [0, 1.02] }),
    ...stacked("Credits by stage", earned, credit, ofCredits, { combine: mean, unit: "credit" }),
    ...bars("Credits by stage", earned, credit, (source) => source.credits, { unit: "credit", range: [0, 1] }),
    ...stacked("Verdicts over time", ended, (name) => name, (source) => source.steps.verdicts,
      { combine: total, unit: "", norm: "fraction" }),
    ...bars("Verdicts", "What completions came to, best first.", (name) => name, sharesOf, { unit: "share", range: [0, 1] }),
    course("entropy", "Entropy", ""),
    course("grad_norm", "Gradient norm", "", { rangemode: "tozero" }),
    course("loss", "Loss", ""),
    course("learning_rate", "Learning rate", "", { exponentformat: "power", rangemode: "tozero" }, { smooth: false }),
    course("kl", "KL", ""),
    course("located_share", "Credit by place", "The share of tokens that have credit for the part of the code that they write.", { rangemode: "tozero" }),
    course("taught_groups", "Problems with a teacher", "The share of problems with a teacher, shown feedback or a success, for some completion.", { range: [0, 1.02] }),
    course("feedback_used", "Feedback shown", "The share of completions whose teacher is shown feedback.", { range: [0, 1.02] }),
    course("teacher_kl", "Distance from the teacher", "Divergence of the student from its teacher, in nats per token."),
    course("mean_length", "Completion length", "Tokens of a completion, on average.", { rangemode: "tozero" }),
    course("clipped_ratio", "Completions cut off", "The share that hit the length limit.", { rangemode: "tozero" }),
    distribution(),
    ranking("Type errors by kind", "Errors that the type checker found, as it words them.", "errors", (source) => source.errors),
    ranking("Slowest problems", "Mean time that grading one completion took.", "ms", slowest),
  ].filter(Boolean);
}
