// Printing is all that a document needs a script for: with it there is a button, without it a word about the browser's menu.
const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
document.querySelector("[data-unprinted]").remove();
