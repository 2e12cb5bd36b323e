// Keeps the offline page and what it is drawn with, and nothing else: no page, no answer, no stream.
// It is registered under the build's name (?v=…), so each build keeps files of its own and drops those of the last.
const CACHE = `offline-${new URL(location).searchParams.get("v")}`;
const FILES = ["/offline.html", "/offline.js", "/pkg/colloquy.css", "/fonts/inter-latin-wght-normal.woff2", "/fonts/instrument-serif-latin-400-normal.woff2", "/icon.svg"];

addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const drop = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
    // The browser asks for the page at once, without waiting for this script to be awake.
    await registration.navigationPreload?.enable();
  };
  event.waitUntil(drop());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  const kept = (path) => async (error) => (await caches.match(path)) ?? Promise.reject(error);
  if (request.mode === "navigate") {
    const page = Promise.resolve(event.preloadResponse).then((preloaded) => preloaded ?? fetch(request));
    event.respondWith(page.catch(kept("/offline.html")));
  } else if (FILES.includes(pathname)) {
    event.respondWith(fetch(request).catch(kept(pathname)));
  }
});
