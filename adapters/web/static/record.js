// Sets the record of a document right, or takes the document out; what comes back is the document as it is then.

import { tell } from "./dialog.js";
import { close, open } from "./drawer.js";
import { json, send } from "./net.js";

const told = (form, text) => { form.querySelector("[role=status]").textContent = text; };

async function edit(form, body) {
  const problem = document.getElementById("problem");
  const result = await send(form.dataset.record, json(body));
  if (!result) { told(form, problem.textContent); problem.textContent = ""; return; }
  await open(form.dataset.document, form);
  const renewed = document.querySelector("#drawer form[data-record]");
  renewed.closest("details").open = true;
  told(renewed, result.text);
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-record]");
  if (!form) return;
  event.preventDefault();
  const back = event.submitter?.dataset.back;
  edit(form, back ? { back } : { fields: Object.fromEntries(new FormData(form)) });
});

async function sized(where, method) {
  const result = await send(where, { method });
  if (result) document.querySelector("#archive-size a").textContent = result.size;
  return result;
}

document.addEventListener("click", async (event) => {
  const where = event.target.closest("[data-take-out]")?.dataset.takeOut;
  const result = where && (await sized(where, "DELETE"));
  if (!result) return;
  close();
  tell(result.text, async () => { const back = await sized(`${where}/taken`, "POST"); if (back) tell(back.text); });
});
