/** A page of others, which has widgets in it. */

/**
 * Opens a page with this in its body.
 * @param policy its Content-Security-Policy
 */
export async function host(site, body, { policy, head = "", ...options } = {}) {
  const page = await site.page(options);
  const rules = policy === undefined ? "" : `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  await page.route(`${site.url}notes.html`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><head>${rules}<title>Notes</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`,
    }),
  );
  await page.goto(`${site.url}notes.html`);
  return page;
}

/** Waits until a widget of a page or a frame shows its first result, or why there is none. */
export async function started(widget) {
  await widget.evaluate(async (element) => {
    await customElements.whenDefined(element.localName);
    await element.ready;
    await element.updateComplete;
  });
}
