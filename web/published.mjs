/**
 * Where version 1 of the site is published: links to it are to hold for as long as it is there, and so each version that
 * reads links in another way has a folder of its own.
 */
export function published(url) {
  if (url === undefined) return "";
  if (!/^https?:\/\/[^?#]+$/.test(url)) throw new Error(`--base-url ${url}: must be an address that begins with http, without ? and #`);
  const folder = url.replace(/\/*$/, "/");
  return /\/v1\/$/.test(folder) ? folder : `${folder}v1/`;
}
