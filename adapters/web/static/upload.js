// Takes documents in, each file with a line that says what became of it. Files of molecules go into the thread.

import { askReader } from "./dialog.js";
import { problem, send } from "./net.js";

const report = document.getElementById("upload-report");
const chosen = document.getElementById("upload");

function line(file) {
  const item = document.createElement("li");
  item.textContent = `${file.name}: waiting`;
  report.append(item);
  return item;
}

function say(item, state, text) {
  item.className = state;
  item.textContent = text;
}

async function take(file, item) {
  say(item, "running", `Reading ${file.name} …`);
  const body = new FormData();
  body.append("file", file);
  let result = await send("/documents", { method: "POST", body });
  if (result?.taken) {
    const wish = await askReader({ title: `Replace ${file.name}?`, told: result.text, yes: "Replace" });
    if (wish === null) return say(item, "failed", `${file.name} was left as it was.`);
    body.append("replace", "yes");
    result = await send("/documents", { method: "POST", body });
  }
  if (!result) {
    say(item, "failed", `${file.name}: ${problem.textContent}`);
    problem.textContent = "";
    return null;
  }
  document.querySelector("#archive-size a").textContent = result.size;
  return say(item, result.refused ? "failed" : "done", result.text);
}

async function upload(files) {
  const molecules = (file) => /\.(sdf|mol)$/i.test(file.name);
  for (const detail of [...files].filter(molecules)) document.dispatchEvent(new CustomEvent("molecules", { detail }));
  const queue = [...files].filter((file) => !molecules(file)).map((file) => [file, line(file)]);
  for (const [file, item] of queue) await take(file, item);
}

let depth = 0;
const over = (step) => { depth += step; document.body.classList.toggle("over", depth > 0); };
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("dragenter", () => over(1));
document.addEventListener("dragleave", () => over(-1));
document.addEventListener("drop", (event) => { event.preventDefault(); over(-depth); upload(event.dataTransfer.files); });
chosen.addEventListener("change", async () => { const files = [...chosen.files]; chosen.value = ""; await upload(files); });
