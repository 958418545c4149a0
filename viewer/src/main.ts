// Where the page begins: reads what the report holds and shows it; says what is wrong where it cannot.
import { report_of_document } from "./data/decode";
import { element } from "./ui/dom";
import { install_hook } from "./ui/hook";
import { Page } from "./ui/page";
import styles from "./ui/style.css";
import plot_styles from "uplot/dist/uPlot.min.css";

async function start() {
  const app = document.getElementById("app") ?? document.body.appendChild(element("div", { id: "app" }));
  document.head.append(element("style", {}, plot_styles, styles));
  try {
    const { manifest, arrays } = report_of_document();
    const page = new Page(manifest, arrays);
    await page.mount(app);
    install_hook(page, manifest, arrays);
    document.documentElement.dataset.ready = "true";
  } catch (error) {
    // The tables below were written into the file itself and still read.
    app.replaceChildren(element("div", { class: "banner", role: "alert" }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    document.documentElement.dataset.ready = "failed";
    throw error;
  }
}

void start();
