"use strict";
(function () {
  // A line may stand in a closed list: open it, then go there.
  function reveal() {
    const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!wanted) return;
    let opened = false;
    for (let box = wanted.closest("details"); box; box = box.parentElement.closest("details")) {
      opened = opened || !box.open;
      box.open = true;
    }
    if (opened) wanted.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  reveal();

  // Print shows what the screen folds away.
  const folded = [];
  window.addEventListener("beforeprint", () => {
    for (const box of document.querySelectorAll("details:not([open])")) {
      box.open = true;
      folded.push(box);
    }
  });
  window.addEventListener("afterprint", () => {
    while (folded.length) folded.pop().open = false;
  });
})();
