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

// Values in chunks, unpacked when they are asked for: what is read once stays.
class Chunks {
  size = 64;
  packed = [];
  read = new Map();

  open(name) {
    this.packed = embedded(name).split("\n").filter(Boolean);
  }

  async chunk(number) {
    if (!this.read.has(number)) {
      this.read.set(number, unpackedJson(this.packed[number]));
    }
    return await this.read.get(number);
  }

  async of(place) {
    const chunk = await this.chunk(Math.floor(place / this.size));
    return chunk[place % this.size];
  }
}

const details = new Chunks();
const problemTexts = new Chunks();

// The texts of the problem of a completion, where they are known.
async function problemOf(row) {
  const place = report.rows.text?.[row] ?? null;
  return place === null ? {} : await problemTexts.of(place);
}
