// A small curve for each of the problems whose rewards change most.

const CURVE = { width: 200, height: 64, edge: 4 };

function curvesOf(source, number, { open }) {
  const last = Math.max(...source.curves.flatMap(({ x }) => x));
  const first = Math.min(...source.curves.flatMap(({ x }) => x));
  return element("div", { class: "curves" }, ...source.curves.map((each) => {
    const ends = [each.from, each.to].map((value) => figure(value, 2)).join(" → ");
    return element("button", {
      type: "button", class: "curve", colour: `var(--source-${number % 8})`, title: each.problem, onclick: () => open(each.problem),
    },
    element("span", { class: "name" }, each.problem),
    curve(each, first, last),
    element("span", { class: "muted" }, `${each.to > each.from ? "▲" : "▼"} ${ends}${each.eval ? ", validation" : ""}`));
  }));
}

function curve({ problem, x, y }, first, last) {
  const { width, height, edge } = CURVE;
  const across = (at) => (edge + ((at - first) / (last - first || 1)) * (width - 2 * edge)).toFixed(1);
  const up = (value) => (height - edge - value * (height - 2 * edge)).toFixed(1);
  const level = (value) => drawn("line", { class: "level", x1: 0, x2: width, y1: up(value), y2: up(value) });
  return drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Rewards of ${problem}` },
    level(0), level(1),
    drawn("polyline", { points: x.map((at, place) => `${across(at)},${up(y[place])}`).join(" ") }),
    ...x.map((at, place) => drawn("circle", { cx: across(at), cy: up(y[place]), r: x.length < 30 ? 2.4 : 1.6 },
      drawn("title", {}, `step ${at}: ${figure(y[place])}`))));
}
