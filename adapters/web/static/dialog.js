// Asks the reader something, or tells of something that can be undone.

const dialog = document.getElementById("dialog");
const toast = document.getElementById("toast");
const form = dialog.querySelector("form");
let timer = 0;

// What the reader wrote ("" without a field), or null if they do not want it.
export function askReader({ title, told = "", yes, field = null }) {
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("[data-told]").textContent = told;
  dialog.querySelector("[data-yes]").textContent = yes;
  const text = form.elements.text;
  text.hidden = field === null;
  text.value = field ?? "";
  dialog.showModal();
  if (field !== null) text.select();
  return new Promise((resolve) => {
    let given = null;
    const take = (event) => { event.preventDefault(); given = text.value.trim(); dialog.close(); };
    form.addEventListener("submit", take);
    dialog.addEventListener("close", () => { form.removeEventListener("submit", take); resolve(given); }, { once: true });
  });
}

dialog.querySelector("[data-no]").addEventListener("click", () => dialog.close());

export function tell(text, undo) {
  toast.replaceChildren(text);
  if (undo) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: "Undo" });
    button.addEventListener("click", () => { toast.hidden = true; undo(); });
    toast.append(button);
  }
  toast.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { toast.hidden = true; }, undo ? 12000 : 3000);
}
