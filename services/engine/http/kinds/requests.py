"""The request is not what the API takes."""

from services.engine.http.kinds.kind import Kind, Words

KINDS = {
    "malformed": Kind(
        400,
        Words(
            "A part of the request is not what it must be",
            "A parameter or a field of the body has a wrong type, is out of bounds, is missing, is there twice, or is "
            "unknown. `field` names it, `detail` says what was expected.",
            "Correct the request. The same one will be refused again.",
        ),
        Words(
            "Una parte della richiesta non è come dev'essere",
            "Un parametro o un campo del corpo ha un tipo sbagliato, è fuori dai limiti, manca, è ripetuto o non è "
            "previsto. `field` dice quale, `detail` che cosa ci si aspettava.",
            "Correggere la richiesta: ripetuta uguale, verrà rifiutata di nuovo.",
        ),
        {"detail": "Expected `str`, got `int`", "field": "name"},
    ),
    "bad_json": Kind(
        400,
        Words(
            "The body is not well-formed JSON in UTF-8",
            "The body breaks off, is no JSON, is in another encoding, or is nested too deeply.",
            "Let a JSON library write the body, in UTF-8.",
        ),
        Words(
            "Il corpo non è JSON ben formato in UTF-8",
            "Il corpo è troncato, non è JSON, ha un'altra codifica o è annidato troppo in profondità.",
            "Far scrivere il corpo a una libreria JSON, in UTF-8.",
        ),
        {"detail": "Input data was truncated"},
    ),
    "bad_header": Kind(
        400,
        Words(
            "A header is not what it must be",
            "A header that this call reads cannot be understood, or is there more than once. `field` names it.",
            "Send the header once, in the form that `detail` describes.",
        ),
        Words(
            "Un'intestazione non è come dev'essere",
            "Un'intestazione che questa chiamata legge non si capisce, oppure è ripetuta. `field` dice quale.",
            "Mandare l'intestazione una volta sola, nella forma che `detail` descrive.",
        ),
        {"detail": "a key is 1 to 128 visible ASCII characters", "field": "Idempotency-Key"},
    ),
    "not_found": Kind(
        404,
        Words(
            "There is nothing here",
            "No call has this path.",
            "Compare the path with the document at `/openapi.json`; mind slashes at the end.",
        ),
        Words(
            "Qui non c'è niente",
            "Nessuna chiamata ha questo percorso.",
            "Confrontare il percorso con il documento in `/openapi.json`, badando alle barre finali.",
        ),
    ),
    "method_not_allowed": Kind(
        405,
        Words(
            "The method is not one of this path",
            "The path is right, but no call there has this method.",
            "Use one of the methods that the `Allow` header lists.",
        ),
        Words(
            "Questo percorso non ammette il metodo",
            "Il percorso è giusto, ma nessuna sua chiamata ha questo metodo.",
            "Usare uno dei metodi elencati nell'intestazione `Allow`.",
        ),
    ),
    "not_acceptable": Kind(
        406,
        Words(
            "The answer comes in no form that the request accepts",
            "The `Accept` header admits none of the media types in which this call answers.",
            "Ask for one of the types that `detail` lists, or leave `Accept` out.",
        ),
        Words(
            "Nessuna forma della risposta è tra quelle accettate",
            "L'intestazione `Accept` esclude tutti i formati in cui questa chiamata risponde.",
            "Chiedere uno dei formati elencati in `detail`, o omettere `Accept`.",
        ),
        {"detail": "the answer comes as text/event-stream or application/json", "field": "Accept"},
    ),
    "too_large": Kind(
        413,
        Words(
            "The body is too large",
            "The body holds more bytes than any call of this API needs. The connection is closed.",
            "Send less: `detail` says how much is taken.",
        ),
        Words(
            "Il corpo è troppo grande",
            "Il corpo supera quanto serve a qualunque chiamata di questa API. La connessione viene chiusa.",
            "Mandare meno byte: `detail` dice quanti al massimo.",
        ),
        {"detail": "a body holds at most 65536 bytes"},
    ),
    "unsupported_media_type": Kind(
        415,
        Words(
            "The body must be application/json",
            "The `Content-Type` is missing, or names something else than JSON in UTF-8; or the body is compressed.",
            "Send `Content-Type: application/json`, and the body as it is, without `Content-Encoding`.",
        ),
        Words(
            "Il corpo dev'essere application/json",
            "Il `Content-Type` manca, o indica qualcosa di diverso da JSON in UTF-8; oppure il corpo è compresso.",
            "Mandare `Content-Type: application/json`, e il corpo così com'è, senza `Content-Encoding`.",
        ),
        {"detail": "send Content-Type: application/json", "field": "Content-Type"},
    ),
    "impossible": Kind(
        422,
        Words(
            "The parts of the request do not go together",
            "Every part of the request has the form that it must have, but what they say together cannot be: a dealer "
            "beyond the seats, options or a move of another game than the table's, a deal with a card too many, a "
            "cursor that no page gave. `field` names the part, `detail` says why.",
            "Correct what the request says. The same one will be refused again.",
        ),
        Words(
            "Le parti della richiesta non vanno d'accordo",
            "Ogni parte della richiesta ha la forma giusta, ma quello che dicono insieme non può essere: un mazziere "
            "oltre i posti, opzioni o una mossa di un gioco che non è quello del tavolo, una mano con una carta di "
            "troppo, un cursore che nessuna pagina ha dato. `field` dice quale parte, `detail` perché.",
            "Correggere quello che la richiesta dice: ripetuta uguale, verrà rifiutata di nuovo.",
        ),
        {"detail": "there are 3 seats, counted from 0", "field": "dealer"},
    ),
    "key_reused": Kind(
        422,
        Words(
            "The idempotency key was used for another request",
            "A key stands for one request, for an hour or more. This one came before with another call, path or body; "
            "nothing was done now.",
            "Draw a fresh key for each new request, and keep it for the repetitions of that request alone.",
        ),
        Words(
            "La chiave di idempotenza è già servita per un'altra richiesta",
            "Una chiave vale almeno un'ora per una richiesta sola. Questa era già arrivata con un'altra chiamata, un "
            "altro percorso o un altro corpo; adesso non è stato fatto niente.",
            "Generare una chiave nuova per ogni richiesta nuova, e riusarla solo per ripetere quella.",
        ),
    ),
}
