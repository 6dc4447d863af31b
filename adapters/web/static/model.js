// Finds a language model, tries it and sets it, in the settings; the server tells each step as it ends.

import { fragment, headers, json } from "./net.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-model]");
  if (!button) return;
  const { model, url = "", name = "" } = button.dataset;
  const told = document.getElementById("models");
  button.disabled = true;
  const asked = json({ url, name });
  const response = await fetch(`/models/${model}`, { ...asked, headers: { ...headers, ...asked.headers } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "", part; !(part = await reader.read()).done;) {
    text += part.value;
    told.replaceChildren(response.ok ? fragment(text) : text);
  }
});
