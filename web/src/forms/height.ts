/** A page in a frame tells the page around it how high it is. */

/** Milliseconds in which several changes of height are one. */
const pause = 100;
const heights = { least: 120, most: 4000 };

/** Only what has changed, and has stayed so for a moment. */
export function tellHeight(box: HTMLElement, send: (type: string, more: object) => void): void {
  let told: number | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    waiting = undefined;
    const height = Math.min(Math.max(Math.ceil(box.getBoundingClientRect().height), heights.least), heights.most);
    if (height === told) return;
    told = height;
    send("resize", { height });
    parent.postMessage({ subject: "lti.frameResize", height }, "*");
    parent.postMessage(JSON.stringify({ action: "resize", height }), "*");
  };
  new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(tell, pause);
  }).observe(box);
}
