// Two programs side by side, line by line.

const MOST_CELLS = 4_000_000;

// Pairs of lines: [left, right], null where one side has no such line.
function lineDiff(left, right) {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head
    && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const pairs = left.slice(0, head).map((line) => [line, line]);
  pairs.push(...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)));
  pairs.push(...left.slice(left.length - tail).map((line) => [line, line]));
  return pairs;
}

function middle(left, right) {
  const width = right.length + 1;
  if ((left.length + 1) * width > MOST_CELLS) return changed(left, right);
  // The longest common sequence of lines, from the end.
  const longest = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = left[i] === right[j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const pairs = [];
  let [i, j] = [0, 0];
  let [gone, come] = [[], []];
  const flush = () => {
    pairs.push(...changed(gone, come));
    [gone, come] = [[], []];
  };
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      flush();
      pairs.push([left[i], right[j]]);
      i += 1;
      j += 1;
    } else if (j >= right.length || (i < left.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      gone.push(left[i]);
      i += 1;
    } else {
      come.push(right[j]);
      j += 1;
    }
  }
  flush();
  return pairs;
}

function changed(gone, come) {
  const rows = Math.max(gone.length, come.length);
  return Array.from({ length: rows }, (_, at) => [gone[at] ?? null, come[at] ?? null]);
}

function diffView(left, right) {
  const table = element("div", { class: "diff code", role: "table" });
  let [one, two] = [0, 0];
  for (const [was, is] of lineDiff((left.code ?? "").split("\n"), (right.code ?? "").split("\n"))) {
    if (was !== null) one += 1;
    if (is !== null) two += 1;
    const kind = was === is ? "" : "changed";
    table.append(element("div", { class: `pair ${kind}`, role: "row" },
      cell(was, one, kind && (was === null ? "none" : "gone")),
      cell(is, two, kind && (is === null ? "none" : "come"))));
  }
  return table;
}

function cell(line, number, kind) {
  return element("div", { class: `side ${kind}`, role: "cell" },
    element("span", { class: "number" }, line === null ? "" : String(number)),
    element("span", { class: "text" }, line ?? ""));
}
