// A table of which only the rows in sight exist, so that twenty thousand are as quick as ten.

const ROW_PX = 30;

class LongTable {
  // columns: {name, title, width, cell(row), key(row)}; open(row) is called for a row that is chosen.
  constructor(columns, { open, label }) {
    this.columns = columns;
    this.open = open;
    this.rows = [];
    this.chosen = null;
    this.sorted = null;
    const template = { gridTemplateColumns: columns.map((each) => each.width).join(" ") };
    this.template = template;
    this.head = element("div", { class: "row head", role: "row", style: template });
    for (const column of columns) {
      this.head.append(element("button", {
        type: "button", role: "columnheader", class: column.right ? "right" : null, onclick: () => this.sort(column),
      }, column.title));
    }
    this.body = element("div", { class: "body", role: "rowgroup" });
    this.window = element("div", {
      class: "window", tabindex: 0, role: "grid", "aria-label": label,
      onscroll: () => this.render(), onkeydown: (event) => this.key(event),
    }, this.head, this.body);
    this.node = element("div", { class: "table" }, this.window);
    new ResizeObserver(() => this.render()).observe(this.window);
  }

  show(rows) {
    this.rows = rows;
    if (this.sorted) this.order();
    this.body.style.height = `${rows.length * ROW_PX}px`;
    this.window.scrollTop = 0;
    this.render();
  }

  sort(column) {
    const direction = this.sorted?.column === column ? -this.sorted.direction : 1;
    this.sorted = { column, direction };
    this.tell();
    this.order();
    this.render();
  }

  unsort() {
    this.sorted = null;
    this.tell();
  }

  // Show at the head of a column that it is sorted by.
  tell() {
    for (const [at, button] of [...this.head.children].entries()) {
      const own = this.sorted?.column === this.columns[at];
      button.setAttribute("aria-sort", own ? (this.sorted.direction > 0 ? "ascending" : "descending") : "none");
    }
  }

  order() {
    const { column, direction } = this.sorted;
    const keys = new Map(this.rows.map((row) => [row, column.key(row)]));
    // What is not known comes last, whichever way the others go.
    const compare = (one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      if (a === b) return 0;
      if (a === null) return 1;
      if (b === null) return -1;
      return a < b ? -direction : direction;
    };
    this.rows = [...this.rows].sort((one, other) => compare(one, other) || one - other);
  }

  choose(row) {
    this.chosen = row;
    const at = this.rows.indexOf(row);
    if (at >= 0) {
      const top = at * ROW_PX;
      const room = this.window.clientHeight - 2 * ROW_PX;
      if (top < this.window.scrollTop) this.window.scrollTop = top;
      else if (top > this.window.scrollTop + room) this.window.scrollTop = top - room;
    }
    this.render();
  }

  around(row) {
    const at = this.rows.indexOf(row);
    if (at < 0) return [null, null];
    return [this.rows[at - 1] ?? null, this.rows[at + 1] ?? null];
  }

  key(event) {
    const [before, after] = this.chosen === null ? [null, this.rows[0] ?? null] : this.around(this.chosen);
    const to = { ArrowUp: before, ArrowDown: after }[event.key];
    if (to !== undefined && to !== null) this.choose(to);
    else if (event.key === "Enter" && this.chosen !== null) this.open(this.chosen);
    else return;
    event.preventDefault();
  }

  render() {
    const first = Math.max(0, Math.floor(this.window.scrollTop / ROW_PX) - 5);
    const count = Math.ceil(this.window.clientHeight / ROW_PX) + 10;
    const shown = this.rows.slice(first, first + count);
    this.body.replaceChildren(...shown.map((row, at) => element("div", {
      class: row === this.chosen ? "row chosen" : "row", role: "row", "data-row": row,
      style: { ...this.template, top: `${(first + at) * ROW_PX}px` },
      onclick: () => this.open(row),
    }, ...this.columns.map((column) =>
      element("span", { role: "gridcell", class: column.right ? "right" : null }, column.cell(row))))));
  }
}
