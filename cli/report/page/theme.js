// Light or dark: as the system has it, until the reader chooses.

const theme = {
  choices: ["system", "light", "dark"],
  chosen: "system",
  changed: () => {},

  start(changed) {
    this.changed = changed;
    const button = byId("theme");
    button.addEventListener("click", () => {
      const next = (this.choices.indexOf(this.chosen) + 1) % this.choices.length;
      this.choose(this.choices[next]);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.changed());
    this.show();
  },

  choose(name) {
    this.chosen = name;
    if (name === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    this.show();
    this.changed();
  },

  show() {
    byId("theme").textContent = { system: "◐ System", light: "☀ Light", dark: "☾ Dark" }[this.chosen];
  },

  colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  },
};
