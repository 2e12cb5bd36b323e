// The offline page: in the theme that was chosen, with the phone's clock, and gone as soon as the server answers again.
const AGAIN_MS = 3000;
const theme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
if (theme) document.documentElement.dataset.theme = theme;

const back = () => (location.pathname === "/offline.html" ? location.replace("/") : location.reload());
// Being online does not mean that the server is there, so it is asked, while somebody looks.
const look = async () => {
  const there = !document.hidden && (await fetch("/health", { cache: "no-store" }).then((answer) => answer.ok, () => false));
  if (there) back();
  else setTimeout(look, AGAIN_MS);
};
addEventListener("online", back);
addEventListener("DOMContentLoaded", () => {
  const now = new Date();
  document.querySelector(".clock").textContent = `${now.getHours()}:${String(now.getMinutes()).padStart(2, "0")}`;
  setTimeout(look, AGAIN_MS);
});
