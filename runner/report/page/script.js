"use strict";
(() => {
  const form = document.querySelector("form.filter");
  if (!form) return;
  const cases = [...document.querySelectorAll("details.case")].map((node) => ({
    node, keys: node.dataset.k.split(" "), text: node.querySelector("summary").textContent.toLowerCase(), hazard: node.dataset.h,
  }));
  const sections = [...document.querySelectorAll("section.hazard")];
  const output = form.querySelector("output");
  const fields = ["q", "hazard", "claim", "stands", "cause"];

  const apply = () => {
    const want = Object.fromEntries(fields.map((name) => [name, form.elements[name] ? form.elements[name].value : ""]));
    const words = want.q.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of cases) {
      const stands = (key) => {
        const [claim, how] = key.split(":");
        if (claim === "cause" || want.claim && claim !== want.claim) return false;
        if (want.stands === "not-same") return how !== "holds" && how !== "notClaimed" && how !== "wrong";
        return !want.stands || how === want.stands;
      };
      const visible = (!want.hazard || one.hazard === want.hazard) &&
        (!want.claim && !want.stands || one.keys.some(stands)) &&
        (!want.cause || one.keys.includes("cause:" + want.cause)) &&
        words.every((word) => one.text.includes(word));
      one.node.hidden = !visible;
      if (visible) shown++;
    }
    for (const section of sections) section.hidden = !section.querySelector("details.case:not([hidden])");
    output.textContent = shown + " of " + cases.length + " cases";
    const hash = new URLSearchParams(Object.entries(want).filter(([, value]) => value)).toString();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  };

  const set = (values) => {
    for (const name of fields) if (form.elements[name]) form.elements[name].value = values[name] || "";
    apply();
  };

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); set({}); });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-filter]");
    if (!link) return;
    event.preventDefault();
    set(Object.fromEntries(new URLSearchParams(link.dataset.filter)));
    document.getElementById("cases").scrollIntoView();
    form.elements.q.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      form.elements.q.focus();
    }
  });
  // What is closed is not printed: open what is shown and is not all the same.
  addEventListener("beforeprint", () => {
    for (const one of cases) if (!one.node.hidden && one.keys.some((key) => /:(deviates|known|faulty|unanswered)$/.test(key))) one.node.open = true;
  });

  const hash = location.hash.slice(1);
  if (hash.includes("=")) set(Object.fromEntries(new URLSearchParams(hash)));
  else set({ stands: form.dataset.start });
})();
