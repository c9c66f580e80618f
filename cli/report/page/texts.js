// What was asked, what was answered and what was checked, as it was written.

function promptView(problem) {
  if (!problem.prompt) return [];
  const note = problem.promptCut ? `${counted(problem.promptCut, "more character")} not shown.` : null;
  return section("Prompt", note, element("pre", { class: "prompt", tabindex: 0 }, problem.prompt));
}

// The whole completion, unless it is its code and nothing else.
function rawView(completion) {
  const { raw, code, rawCut } = completion;
  if (!raw || raw.trim() === (code ?? "").trim()) return [];
  return [element("details", { class: "raw" },
    element("summary", {}, "The whole completion"),
    rawCut ? element("p", { class: "note" }, `${counted(rawCut, "more character")} not shown.`) : null,
    element("pre", {}, raw))];
}

function checkNotes(problem) {
  return problem.testsCut ? "The tests are long: the text of their last checks is not shown." : null;
}

const MOST_LINES_OF_CHECK = 12;

// The text of a check: its line, those below it that stand further in, and what closes them; or
// its case.
function checkTexts({ lines, cases }, place) {
  if (cases?.[place - 1]) {
    const [input, output] = cases[place - 1];
    return [input ? `input:\n${input}` : "no input", `expected:\n${output}`];
  }
  const first = lines?.[place - 1];
  if (!first?.trim()) return [];
  const margin = indent(first);
  let end = place;
  while (end < lines.length && end < place + MOST_LINES_OF_CHECK - 1 && indent(lines[end]) > margin) end += 1;
  if (end > place && /^\s*[)\]}]/.test(lines[end] ?? "")) end += 1;
  return [lines.slice(place - 1, end).map((line) => line.slice(margin)).join("\n")];
}

function indent(line) {
  return line.trim() ? line.length - line.trimStart().length : 0;
}
