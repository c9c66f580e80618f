// What all pictures share: axes, colours, bands, marks of findings.

// Labels may come from anyone: what Plotly would read as markup becomes plain text.
function plain(text) {
  return String(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function wrapped(text, width = 60) {
  const lines = [""];
  for (const word of String(text).split(/\s+/)) {
    if (lines.at(-1).length + word.length > width) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.map(plain).join("<br>");
}

function shortened(text, most = 28) {
  const chars = Array.from(String(text));
  return chars.length <= most ? chars.join("") : `${chars.slice(0, most - 1).join("")}…`;
}

function sourceColour(number) {
  return theme.colour(`source-${number % 8}`);
}

function faded(colour, alpha) {
  const value = parseInt(colour.slice(1), 16);
  return `rgba(${value >> 16}, ${(value >> 8) & 255}, ${value & 255}, ${alpha})`;
}

// The mean of what stands around each point, so that a course can be seen.
function smoothed(values) {
  const reach = Math.max(2, Math.floor(values.length / 50));
  return values.map((_, at) => {
    const near = values.slice(Math.max(0, at - reach), at + reach + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
}

const MANY = 60;

// A line; of many points they are faint, and the line is their running mean.
function lines(points, { name, colour, smooth = true }) {
  const common = { name: plain(name), legendgroup: plain(name), type: "scatter", mode: "lines" };
  if (points.x.length < MANY || !smooth) {
    const few = points.x.length < 30 ? "lines+markers" : "lines";
    return [{
      ...common, mode: few, x: points.x, y: points.y,
      line: { color: colour, width: 2 }, marker: { size: 4 },
    }];
  }
  // Thousands of faint points would be a dark cloud.
  const alpha = Math.max(0.07, 0.28 * Math.min(1, Math.sqrt(200 / points.x.length)));
  return [
    {
      ...common, x: points.x, y: points.y, showlegend: false, hoverinfo: "skip",
      line: { color: faded(colour, alpha), width: 1 },
    },
    {
      ...common, x: points.x, y: smoothed(points.y), line: { color: colour, width: 2 },
    },
  ];
}

function axis(title, extra = {}) {
  return {
    title: title ? { text: title, font: { size: 11 }, standoff: 6 } : undefined,
    gridcolor: theme.colour("line"),
    linecolor: theme.colour("line"),
    zerolinecolor: theme.colour("line"),
    tickfont: { size: 11 },
    automargin: true,
    ...extra,
  };
}

function layoutOf(picture) {
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, sans-serif", size: 12, color: theme.colour("ink") },
    margin: { l: 44, r: 14, t: 30, b: 36 },
    hovermode: "x unified",
    hoverlabel: {
      bgcolor: theme.colour("card"),
      bordercolor: theme.colour("line"),
      font: { color: theme.colour("ink"), size: 12 },
      align: "left",
    },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: "#8a94a3", activecolor: "#4a6fa5" },
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", font: { size: 11 } },
    height: 280,
    ...picture.layout,
    shapes: [...(picture.layout.shapes ?? []), ...bandShapes(picture), ...findingShapes(picture)],
  };
}

function bandShapes(picture) {
  return (picture.bands ?? []).map(([from, to, tone]) => {
    const colour = theme.colour(`tone-${tone}`);
    const shape = { xref: "paper", x0: 0, x1: 1, layer: "below", line: { width: 0 } };
    if (to === null) {
      return { ...shape, type: "line", y0: from, y1: from, line: { color: colour, width: 1.5, dash: "dot" } };
    }
    return { ...shape, type: "rect", y0: from, y1: to, fillcolor: faded(colour, 0.1) };
  });
}

const MOST_LINES = 20;

function findingShapes(picture) {
  const found = picture.findings ?? [];
  // More would hide the curve; their marks at the top stay.
  return (found.length > MOST_LINES ? [] : found).map((finding) => ({
    type: "line", yref: "paper", y0: 0, y1: 1, x0: finding.at, x1: finding.at,
    line: { color: theme.colour(finding.severity === "critical" ? "tone-bad" : "tone-watch"), width: 1, dash: "dash" },
  }));
}

// A mark at the top for each finding, with what it says; on an axis of its own.
function findingTrace(picture) {
  const found = picture.findings ?? [];
  if (!found.length) return [];
  return [{
    type: "scatter", mode: "markers", yaxis: "y2", showlegend: false, name: "health",
    x: found.map((each) => each.at),
    y: found.map(() => 1),
    text: found.map((each) =>
      `<b>${plain(each.rule)}</b> (${plain(each.severity)})<br>${wrapped(each.seen)}<br><i>${wrapped(each.advice)}</i>`),
    hovertemplate: "%{text}<extra></extra>",
    marker: {
      symbol: "triangle-down", size: 11,
      color: found.map((each) => theme.colour(each.severity === "critical" ? "tone-bad" : "tone-watch")),
    },
  }];
}

// Pictures are drawn again when the theme changes, and for paper.
const pictures = [];

const PAPER_PX = 660;

function draw(node, picture) {
  const made = picture.make();
  const layout = layoutOf(made);
  if (made.findings?.length) {
    layout.yaxis2 = { overlaying: "y", range: [0, 1], visible: false, fixedrange: true };
  }
  const options = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["lasso2d", "select2d"] };
  // A browser lays paper out too late for Plotly to ask how wide it is.
  if (matchMedia("print").matches) layout.width = PAPER_PX;
  Plotly.react(node, [...made.traces, ...findingTrace(made)], layout, options);
}

function addPicture(grid, picture) {
  const node = element("div", { class: "plot" });
  grid.append(element("figure", { class: picture.wide ? "card wide" : "card" },
    element("figcaption", {}, picture.title), node, legendOf(picture),
    element("p", { class: "note" }, picture.note ?? "")));
  pictures.push(() => draw(node, picture));
  pictures.at(-1)();
}

// Many names do not fit into a picture; they stand below it.
function legendOf({ legend = [] }) {
  if (!legend.length) return null;
  return element("ul", { class: "legend" }, ...legend.map(([name, colour]) =>
    element("li", { colour: `var(--${colour})` }, words(name))));
}

function redrawAll() {
  for (const again of pictures) again();
}

function pause() {
  return new Promise((resume) => setTimeout(resume, 0));
}
