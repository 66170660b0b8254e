/** What can be taken away: pictures, tables and states as files. Everything is made in the page. */

import type { DataTable } from "./routine.js";

/** What a picture takes from the style of the page. Attributes, since a policy may refuse styles in a picture. */
export const carried = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

const pixelsPerUnit = 2;

/** A drawing that stands by itself. */
export function svgText(drawn: SVGSVGElement, background: string): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll<SVGElement>("*");
  drawn.querySelectorAll("*").forEach((original, index) => {
    const style = getComputedStyle(original);
    for (const name of carried) copies[index]!.setAttribute(name, style.getPropertyValue(name));
    copies[index]!.removeAttribute("class");
  });
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: background })) {
    paper.setAttribute(name, value);
  }
  copy.prepend(paper);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/gs, "");
}

/** The same as pixels. @param scale pixels of a unit */
export async function png(text: string, width: number, height: number, scale = pixelsPerUnit): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image(width * scale, height * scale);
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture is too large.")) : resolve(blob)), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Numbers are written as programs read them. */
export function csvText({ head, rows }: DataTable): string {
  const cell = (text: string) => {
    const plain = text.replace(/(\d)\u202f(?=\d)/g, "$1").replace(/^−(?=\d)/, "-").replace(/\u00a0/g, " ");
    return /[",\n]/.test(plain) ? `"${plain.replace(/"/g, '""')}"` : plain;
  };
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** Typed arrays as plain lists. */
export function jsonText(value: unknown): string {
  const plain = (_: string, one: unknown) => (ArrayBuffer.isView(one) ? Array.from(one as Float64Array) : one);
  return `${JSON.stringify(value, plain, 1)}\n`;
}

export function download(name: string, content: Blob | string, type = "text/plain"): void {
  const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
