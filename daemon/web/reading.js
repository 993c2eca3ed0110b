/* The pages to read: who is logged in stands at the top, as on the screens. */
import { Draughtsmith } from "./draughtsmith.js";

try {
  const { name } = await new Draughtsmith().me({ guest: true });

  if (name !== null) {
    document.querySelector(".who-am-i").textContent = name;
  }
} catch {
  // what stands there leads to the account in any case
}
