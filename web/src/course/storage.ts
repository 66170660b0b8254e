/** The last state of this browser: a convenience, which may be forbidden or full. */

const key = "shardlab-course";

export function stored(): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function store(fragment: string): void {
  try {
    if (fragment === "") localStorage.removeItem(key);
    else localStorage.setItem(key, fragment);
  } catch {
    // The link and the file hold the state as well.
  }
}
