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

function errorFlags(text, starts, diagnostics) {
  const flags = new Array(text.length).fill(false);
  const lines = text.split("\n");
  for (const { span } of diagnostics) {
    if (!span || span[0] < 1 || span[2] > lines.length) continue;
    const [line, column, endLine, endColumn] = span;
    const from = starts[line - 1] + columnOf(lines[line - 1], column ?? 0);
    const last = lines[endLine - 1];
    const to = starts[endLine - 1] + (endColumn === null ? last.length : columnOf(last, endColumn));
    flags.fill(true, from, Math.max(to, from + 1));
  }
  return flags;
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
  const starts = [];
  let start = 0;
  for (const line of lines) {
    starts.push(start);
    start += line.length + 1;
  }
  const tokens = highlighted(text);
  const marks = regionClasses(text, completion.regions ?? []);
  const wrong = errorFlags(text, starts, diagnostics);
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
      const classes = [tokens[at], marks[at] && `region-${marks[at]}`, wrong[at] && "error-here"];
      content.append(element("span", { class: classes.filter(Boolean).join(" ") || null }, line.slice(from, to)));
      from = to;
    }
    view.append(element("div", { class: "line" }, element("span", { class: "number" }, String(number + 1)), content));
    for (const each of under.get(number + 1) ?? []) view.append(message(each));
  });
  return view;

  function same(one, other) {
    return tokens[one] === tokens[other] && marks[one] === marks[other] && wrong[one] === wrong[other];
  }
}
