// Sets the record of a document right; what comes back is the document with its new record.

import { open } from "./drawer.js";
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
