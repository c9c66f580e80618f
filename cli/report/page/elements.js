"use strict";

// Everything in the page is made here, from text that is never read as HTML.

function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, ...children);
}

function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, ...children);
}

function filled(made, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(made.style, value);
    else if (name === "colour") made.style.setProperty("--own", value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

function figure(value, digits = 3) {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}

function share(value) {
  return value === null || value === undefined ? "–" : `${(100 * value).toFixed(1)} %`;
}

function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function words(code) {
  return code.replaceAll("_", " ");
}

function pill(verdict) {
  return element(
    "span",
    { class: "pill", colour: `var(--${verdict})`, title: report.verdicts[verdict] ?? "" },
    words(verdict),
  );
}
