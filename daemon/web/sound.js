/* Short wooden sounds, made and not loaded: a move, a capture, the end of a game. */

const NOTES = {
  move: [{ frequency: 320, length: 0.06 }],
  capture: [
    { frequency: 260, length: 0.06 },
    { frequency: 180, length: 0.09 },
  ],
  over: [
    { frequency: 392, length: 0.14 },
    { frequency: 523, length: 0.22 },
  ],
};

/** play(name) sounds "move", "capture" or "over"; silent where the browser has no sound, or allows
 * none before the visitor has touched the page. */
export function createSound() {
  let context = null;

  function note({ frequency, length }, at) {
    const tone = context.createOscillator();
    const volume = context.createGain();

    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.25, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }

  return {
    play(name) {
      if (globalThis.AudioContext === undefined || !navigator.userActivation?.hasBeenActive) {
        return;
      }
      context ??= new AudioContext();
      let at = context.currentTime;
      for (const each of NOTES[name]) {
        note(each, at);
        at += each.length;
      }
    },
  };
}
