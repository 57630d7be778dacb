/**
 * A short tone when one's turn comes.
 *
 * @module
 */

/** @type {AudioContext | null} */
let audio = null;

/** Two soft notes. Browsers let them sound once the page has been touched. */
export function chime() {
    try {
        audio ??= new AudioContext();
        note(audio, 660, 0);
        note(audio, 880, 0.12);
    } catch {
        audio = null; // a browser without sound
    }
}

/**
 * @param {AudioContext} context
 * @param {number} hertz
 * @param {number} after seconds
 */
function note(context, hertz, after) {
    const start = context.currentTime + after;
    const tone = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setTargetAtTime(0.08, start, 0.01);
    volume.gain.setTargetAtTime(0, start + 0.08, 0.05);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.5);
}
