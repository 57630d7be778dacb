/** Texts of the screens for unknown addresses and lost tables, in Italian. */
/** @type {import("../parts.js").Texts} */
export default {
    watch: "Guarda senza sederti",
    forget: "Dimentica questo tavolo",
    "problem.not_found": "Qui non c'è nulla",
    "advice.not_found": "Forse l'indirizzo è incompleto: chiedi il link intero a chi te l'ha mandato.",
    another: "Apri un altro tavolo",
    closed: "Il tavolo è chiuso",
    "advice.closed":
        "Non c'è più nessuno seduto: se c'era una partita, la finisce il computer. Per giocare ancora, apri un tavolo nuovo.",
    "problem.no_such_table": "Questo tavolo non c'è più",
    "advice.no_such_table":
        "È finito da un pezzo, non si è mai giocato, o il link è incompleto. Chiedi un link nuovo, o apri un tavolo tuo.",
    "problem.wrong_token": "A questo tavolo non hai più un posto",
    "advice.wrong_token": "L'hai lasciato, o chi tiene il tavolo l'ha liberato. Puoi sempre guardare.",
};
