/** Texts of every screen, in Italian. */
/** @type {import("../parts.js").Texts} */
export default {
    // --- ovunque
    home: "Locanda, ai giochi",
    skip: "Vai al contenuto",
    navigation: "Principale",
    mine: "I miei tavoli",
    settings: "Impostazioni",
    close: "Chiudi",
    again: "Riprova",
    reload: "Ricarica",
    loading: "Un momento…",
    table: "Tavolo",
    to_lobby: "Ai giochi",
    rules: "Regole",
    storage_refused:
        "Questo browser non conserva nulla per questa pagina. I tuoi posti durano quanto questa scheda: non chiuderla mentre giochi.",

    // --- a un tavolo
    leave: "Lascia il tavolo",
    television: "Mostra su un televisore",
    your_turn: "Tocca a te",

    // --- quando qualcosa va storto
    "problem.unexpected": "Qualcosa è andato storto",
    "problem.unreachable": "Il server non risponde",
    "advice.unreachable": "I tuoi posti sono al sicuro. Controlla la connessione, o riprova fra un momento.",
    "problem.bad_answer": "La risposta non si legge",
    "advice.bad_answer": "Qualcosa si è messo tra questa pagina e il server. Riprova, o ricarica la pagina.",
    "problem.not_played": "La mossa non è partita: il server non risponde",
    "problem.not_loaded": "Una parte della pagina non si è caricata",
    "advice.not_loaded": "Forse manca la connessione, o c'è una versione nuova della pagina: ricaricala.",
    "problem.stale": "Intanto il tavolo è cambiato",
    "advice.stale": "Guarda di nuovo e decidi: non è successo nulla.",
    "problem.too_many_requests": "Troppe richieste in una volta",
    "advice.too_many_requests": "Aspetta un momento e riprova.",
    "advice.store_down": "I tuoi posti sono al sicuro. Riprova fra un momento.",
};
