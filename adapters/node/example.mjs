// An adapter for "acme", a normalizer and nothing else.
import { serve } from "./adapter.mjs";

const acmeNormalize = (text) =>
  text.toLowerCase().replace(/[!-/:-@[-`{-~]/g, "").replace(/\b(a|an|the)\b/g, " ").split(/\s+/).filter(Boolean).join(" ");

serve({
  name: "acme",
  version: "1.0",
  metrics: { squad: { answers: ["normalize"] }, squad_v2: { answers: ["normalize"] } },
  normalize: (metric, options, text) => acmeNormalize(text),
});
