"""Not now: the client asks too much, or the house cannot serve."""

from services.engine.http.kinds.kind import Kind, Words

KINDS = {
    "too_many_requests": Kind(
        429,
        Words(
            "The client asks for more than its share",
            "One client, known by its address, has opened too many tables, taken too many seats, holds too many "
            "streams, or asks too often. `RateLimit-Policy` says what the limit is, `RateLimit` when it ends.",
            "Wait as many seconds as `Retry-After` says. Follow a table's events instead of asking again and again, "
            "and share one stream among those who watch the same table.",
        ),
        Words(
            "Il client chiede più di quanto gli spetti",
            "Un client, riconosciuto dal suo indirizzo, ha aperto troppi tavoli, preso troppi posti, tiene troppi "
            "flussi o chiede troppo spesso. `RateLimit-Policy` dice qual è il limite, `RateLimit` quando scade.",
            "Aspettare i secondi indicati da `Retry-After`. Seguire gli eventi di un tavolo anziché interrogarlo di "
            "continuo, e usare un flusso solo per chi guarda lo stesso tavolo.",
        ),
        {"detail": "a client may open 300 tables a minute"},
    ),
    "internal": Kind(
        500,
        Words(
            "Something went wrong here",
            "The fault is the house's. It has been logged under the request's id, which the answer carries as "
            "`X-Request-ID`.",
            "Try again with the same `Idempotency-Key`. If it comes again, tell whoever runs the house the request's "
            "id.",
        ),
        Words(
            "Qui qualcosa è andato storto",
            "La colpa è della casa. L'errore è registrato sotto l'identificativo della richiesta, che la risposta "
            "porta in `X-Request-ID`.",
            "Riprovare con la stessa `Idempotency-Key`. Se si ripete, comunicare l'identificativo a chi gestisce la "
            "casa.",
        ),
    ),
    "closing": Kind(
        503,
        Words(
            "The house closes; another replica serves",
            "This process is ending: it finishes what is in flight and takes nothing new.",
            "Send the request again after `Retry-After` seconds; games go on elsewhere, nothing is lost.",
        ),
        Words(
            "La casa sta chiudendo; serve un'altra replica",
            "Questo processo sta terminando: finisce quello che ha in corso e non accetta altro.",
            "Ripetere la richiesta dopo i secondi indicati da `Retry-After`; le partite continuano altrove e non si "
            "perde niente.",
        ),
    ),
    "store_down": Kind(
        503,
        Words(
            "The store does not answer",
            "The store that keeps the tables is away, or takes no writes. Streams stay open, and deadlines shift by "
            "the outage. In most cases nothing was done; a write that was lost on its way back may have been.",
            "Send the request again after `Retry-After` seconds, a write with the same `Idempotency-Key`: it acts "
            "once.",
        ),
        Words(
            "L'archivio non risponde",
            "L'archivio che conserva i tavoli è irraggiungibile, o non accetta scritture. I flussi restano aperti e le "
            "scadenze slittano di quanto dura l'interruzione. Di solito non è stato fatto niente; può averlo fatto una "
            "scrittura di cui si è persa la conferma.",
            "Ripetere la richiesta dopo i secondi indicati da `Retry-After`, una scrittura con la stessa "
            "`Idempotency-Key`: avrà effetto una volta sola.",
        ),
    ),
    "busy": Kind(
        503,
        Words(
            "Too many others write to the table at the same time; nothing was done",
            "Others changed the table again and again while this request was being decided.",
            "Send the request again after `Retry-After` seconds, with the same `Idempotency-Key`.",
        ),
        Words(
            "Troppi altri scrivono sul tavolo nello stesso momento; non è stato fatto niente",
            "Mentre si decideva su questa richiesta, altri hanno cambiato il tavolo più e più volte.",
            "Ripetere la richiesta dopo i secondi indicati da `Retry-After`, con la stessa `Idempotency-Key`.",
        ),
    ),
}
