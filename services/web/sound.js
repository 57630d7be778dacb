/**
 * Short sounds of cards, of the person's turn and of the end, synthesized without files.
 *
 * @module
 */

/** @import { Table } from "./types.js" */

/** The overall volume. The loudest moments stay below a screen reader's voice. */
const VOLUME = 0.5;
/** Seconds between two dealt cards, and the number of cards with a sound. */
const [RIFFLE, DEALT] = [0.055, 6];

/** The sounds, with times in seconds. @type {Record<string, (play: Instruments, at: number) => void>} */
const SOUNDS = {
    turn: ({ tone }, at) => [660, 880].forEach((hertz, number) => tone(hertz, at + 0.12 * number, 0.12, 0.16)),
    card: ({ tone, rustle }, at) => {
        rustle(2600, at, 0.045, 0.5);
        tone(170, at + 0.01, 0.05, 0.22);
    },
    dealt: ({ rustle }, at) => Array.from({ length: DEALT }, (_, number) => rustle(3000, at + number * RIFFLE, 0.03, 0.35)),
    taken: ({ rustle }, at) => [0, 0.06, 0.12].forEach((later) => rustle(1300, at + later, 0.09, 0.3)),
    over: ({ tone }, at) => [392, 523].forEach((hertz, number) => tone(hertz, at + 0.18 * number, 0.3, 0.16)),
    won: ({ tone }, at) => {
        [523, 659, 784, 1047].forEach((hertz, number) => tone(hertz, at + 0.11 * number, 0.16, 0.18));
        [523, 659, 784].forEach((hertz) => tone(hertz, at + 0.5, 0.7, 0.1));
    },
};

/**
 * The name of the sound for a step of the table.
 *
 * @param {Table} table after it
 * @param {boolean} turn whether it has become the viewer's turn
 */
export function soundsOf({ events, match, you, status }, turn) {
    const types = events.map(({ type }) => type);
    const heard = [];
    if (events.some(({ card, cards, seat }) => seat !== null && (card || cards))) heard.push("card");
    if (types.some((type) => /^(trick_|completed)/.test(type))) heard.push("taken");
    if (types.includes("dealt")) heard.push("dealt");
    if (status === "over") heard.push(match.result?.ranking[0]?.includes(you ?? -1) ? "won" : "over");
    else if (turn) heard.push("turn");
    return heard;
}

/** Plays the sounds of one table. */
export class Sounds {
    /** @type {Instruments | null} */
    instruments = null;

    /**
     * Plays the sounds of a step, shortly after one another. Browsers allow sound only after the page has been touched.
     *
     * @param {Table} table
     * @param {boolean} turn
     */
    play(table, turn) {
        if (!navigator.userActivation?.hasBeenActive) return;
        try {
            const play = (this.instruments ??= instruments());
            soundsOf(table, turn).forEach((name, number) => SOUNDS[name](play, play.audio.currentTime + 0.14 * number));
        } catch {
            this.instruments = null; // a browser without sound
        }
    }
}

/** `tone`: frequency in hertz, start and length in seconds, volume. `rustle`: a short noise around a pitch, like paper. @typedef {ReturnType<typeof
 * instruments>} Instruments */

function instruments() {
    const audio = new AudioContext();
    const buffer = noise(audio);
    return {
        audio,
        tone(/** @type {number} */ hertz, /** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ volume) {
            sounding(audio, new OscillatorNode(audio, { frequency: hertz, type: "triangle" }), at, length, volume);
        },
        rustle(/** @type {number} */ hertz, /** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ volume) {
            const source = new AudioBufferSourceNode(audio, { buffer });
            const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: hertz, Q: 0.8 });
            source.connect(band);
            sounding(audio, source, at, length, volume, band);
        },
    };
}

/**
 * @param {AudioContext} context
 * @param {AudioScheduledSourceNode} source
 * @param {number} at
 * @param {number} length
 * @param {number} volume
 * @param {AudioNode} [last] the last node before the output
 */
function sounding(context, source, at, length, volume, last = source) {
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setTargetAtTime(volume * VOLUME, at, 0.004);
    gain.gain.setTargetAtTime(0, at + length, length / 3);
    last.connect(gain).connect(context.destination);
    source.start(at);
    source.stop(at + length * 3);
}

/** @param {AudioContext} context */
function noise(context) {
    const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
    return buffer;
}
