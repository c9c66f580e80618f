// The data of the report: base64 of gzipped JSON, unpacked by the browser itself.

let report = null;

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}

async function unpackedJson(text) {
  return JSON.parse(await unpacked(text));
}

function embedded(name) {
  return byId(`data-${name}`).textContent;
}

// Completions, some at a time: what is read once stays.
const details = {
  size: 64,
  packed: [],
  read: new Map(),

  open() {
    this.packed = embedded("details").split("\n").filter(Boolean);
  },

  async chunk(number) {
    if (!this.read.has(number)) {
      this.read.set(number, unpackedJson(this.packed[number]));
    }
    return await this.read.get(number);
  },

  async of(row) {
    const chunk = await this.chunk(Math.floor(row / this.size));
    return chunk[row % this.size];
  },
};
