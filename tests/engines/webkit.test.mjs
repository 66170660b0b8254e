// Safari's engine, WebKit, as GTK's MiniBrowser, driven over WebDriver.
import { startWebKit } from "./webkit.mjs";
import { smoke } from "./smoke.mjs";

smoke(startWebKit);
