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
    document.documentElement.classList.remove("with-script");
    document.documentElement.classList.add("failed");
    document.documentElement.dataset.ready = "failed";
    console.error(error);
  }
}

/** What fails later, while curves or modes are decoded, is said too; the rest of the page stays. */
window.addEventListener("unhandledrejection", ({ reason }) => {
  const text = `A part of this report cannot be read: ${reason instanceof Error ? reason.message : String(reason)}`;
  document.getElementById("app")?.prepend(element("div", { class: "banner", role: "alert" }, text));
});

void start();
