// A document, the archive or a trace, beside a thread or in a tab of its own.

export function settle(place) {
  for (const bar of place.querySelectorAll("[data-share]")) bar.style.width = `${bar.dataset.share}%`;
  const passage = place.querySelector("#passage");
  const pictured = place.querySelector("img.page-image") && !passage?.closest(".told");
  if (!pictured) passage?.scrollIntoView({ block: "center", inline: "nearest" });
}

document.addEventListener("input", (event) => {
  const listed = event.target.dataset.filter;
  if (!listed) return;
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const item of document.querySelectorAll(listed)) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
  document.getElementById("no-documents").hidden = document.querySelector(`${listed}:not([hidden])`) !== null;
});

if (document.querySelector("main.sheet")) settle(document);
