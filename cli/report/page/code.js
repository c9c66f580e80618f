// OCaml code with its colours, the parts that are right or wrong, and what the compiler said.

const TOKEN = new RegExp(
  [
    String.raw`(?<comment>\(\*(?:[^*]|\*(?!\)))*(?:\*\)|$))`,
    String.raw`(?<string>"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\\n]|\\[^\n]{1,4})')`,
    String.raw`(?<number>\b\d[\w.]*)`,
    String.raw`(?<keyword>\b(?:and|as|assert|begin|class|constraint|do|done|downto|else|end|exception|external|false|for|fun|function|functor|if|in|include|inherit|initializer|lazy|let|match|method|module|mutable|new|nonrec|object|of|open|or|private|rec|sig|struct|then|to|true|try|type|val|virtual|when|while|with)\b)`,
    String.raw`(?<upper>\b[A-Z][\w']*)`,
    String.raw`(?<name>\b[a-z_][\w']*)`,
  ].join("|"),
  "g",
);

// The class of each character, as a browser counts them.
function highlighted(code) {
  const found = new Array(code.length).fill("");
  for (const match of code.matchAll(TOKEN)) {
    const kind = Object.entries(match.groups).find(([, text]) => text !== undefined)[0];
    if (kind !== "name") found.fill(kind, match.index, match.index + match[0].length);
  }
  return found;
}

// Where each character of the program, as OCaml and Python count them, stands in a string.
function offsets(code) {
  const found = [];
  let at = 0;
  for (const char of code) {
    found.push(at);
    at += char.length;
  }
  found.push(at);
  return found;
}

const encoder = new TextEncoder();

// The compiler counts bytes.
function columnOf(line, bytes) {
  let at = 0;
  let left = bytes;
  for (const char of line) {
    if (left <= 0) break;
    left -= encoder.encode(char).length;
    at += char.length;
  }
  return at;
}

function regionClasses(code, regions) {
  const found = new Array(code.length).fill("");
  const place = offsets(code);
  for (const [start, stop, mark] of regions) {
    found.fill(mark, place[Math.min(start, place.length - 1)], place[Math.min(stop, place.length - 1)]);
  }
  return found;
}

function startsOf(lines) {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
  return starts;
}

// Where a span of lines and bytes stands in the text; null outside of it.
function spanOf(lines, starts, [line, column, endLine, endColumn]) {
  if (line < 1 || endLine > lines.length) return null;
  const from = starts[line - 1] + columnOf(lines[line - 1], column ?? 0);
  const last = lines[endLine - 1];
  const to = starts[endLine - 1] + (endColumn === null ? last.length : columnOf(last, endColumn));
  return [from, Math.max(to, from + 1)];
}

function errorFlags(lines, starts, diagnostics) {
  const flags = new Array(starts.at(-1)).fill(false);
  for (const { span } of diagnostics) {
    const found = span && spanOf(lines, starts, span);
    if (found) flags.fill(true, ...found);
  }
  return flags;
}

// How likely the mistake is at each character, as credit by place weighs it.
function blameWeights(lines, starts, blame) {
  const weights = new Array(starts.at(-1)).fill(0);
  for (const [line, column, endLine, endColumn, weight] of blame) {
    const [from, to] = spanOf(lines, starts, [line, column, endLine, endColumn]) ?? [0, 0];
    for (let at = from; at < to; at += 1) weights[at] += weight;
  }
  return weights;
}

function likelihood(weight) {
  if (!weight) return null;
  return weight >= 0.5 ? "blame-likely" : weight >= 0.2 ? "blame-possible" : "blame-unlikely";
}

const CREDITS = {
  right: ["right", "only passing checks need it"],
  wrong: ["wrong", "it has an error, or failing checks need it"],
  unknown: ["unknown", "no check tells"],
};

// What the marks in the code mean; only those that it has.
function creditLegend({ regions = [], blame = [] }) {
  const present = new Set(regions.map(([, , mark]) => mark));
  const item = (kind, name, title) => element("li", {}, element("span", { class: `sample ${kind}` }, name), element("span", {}, title));
  const items = Object.entries(CREDITS).filter(([mark]) => present.has(mark))
    .map(([mark, [name, title]]) => item(`region-${mark}`, name, title));
  if (blame.length) items.push(item("blame-likely", "suspect", "the mistake may be here; a thicker line is likelier"));
  return items.length ? element("ul", { class: "credits", "aria-label": "Marks in the code" }, ...items) : null;
}

function message(diagnostic) {
  return element("div", { class: `message ${diagnostic.kind}` },
    element("span", { class: "what" }, `${words(diagnostic.kind)}${diagnostic.tests ? " in the tests" : ""}`),
    element("span", {}, diagnostic.message),
    diagnostic.hint ? element("span", { class: "hint" }, diagnostic.hint) : null);
}

function codeView(completion) {
  const text = completion.code ?? "";
  const diagnostics = completion.diagnostics ?? [];
  const lines = text.split("\n");
  const starts = startsOf(lines);
  const tokens = highlighted(text);
  const marks = regionClasses(text, completion.regions ?? []);
  const wrong = errorFlags(lines, starts, diagnostics);
  const blamed = blameWeights(lines, starts, completion.blame ?? []).map(likelihood);
  const under = new Map();
  for (const each of diagnostics) {
    const line = Math.min(Math.max(each.span ? each.span[2] : lines.length, 1), lines.length);
    under.set(line, [...(under.get(line) ?? []), each]);
  }
  const view = element("div", { class: "code", role: "group", "aria-label": "Code" });
  lines.forEach((line, number) => {
    const content = element("span", { class: "text" });
    let from = line.length - line.trimStart().length;
    content.append(line.slice(0, from));
    while (from < line.length) {
      const at = starts[number] + from;
      let to = from + 1;
      while (to < line.length && same(at, starts[number] + to)) to += 1;
      const classes = [tokens[at], marks[at] && `region-${marks[at]}`, blamed[at], wrong[at] && "error-here"];
      content.append(element("span", { class: classes.filter(Boolean).join(" ") || null }, line.slice(from, to)));
      from = to;
    }
    view.append(element("div", { class: "line" }, element("span", { class: "number" }, String(number + 1)), content));
    for (const each of under.get(number + 1) ?? []) view.append(message(each));
  });
  return view;

  function same(one, other) {
    return [tokens, marks, blamed, wrong].every((each) => each[one] === each[other]);
  }
}
