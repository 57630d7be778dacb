"""Who asks may not do this."""

from services.engine.http.kinds.kind import Kind, Words

KINDS = {
    "no_token": Kind(
        401,
        Words(
            "The call needs a seat's token",
            "Only who holds a seat may do this, and the request carries no token.",
            "Send `Authorization: Bearer` with the token that came when the seat was taken.",
        ),
        Words(
            "La chiamata richiede il token di un posto",
            "Lo può fare solo chi occupa un posto, e la richiesta non porta nessun token.",
            "Mandare `Authorization: Bearer` con il token ricevuto prendendo posto.",
        ),
    ),
    "wrong_token": Kind(
        401,
        Words(
            "The token is none of this table's",
            "The token was never one of this table's, or its seat has been left or taken away since; or the header is "
            "no bearer token at all.",
            "Forget the token. Without one the table can still be watched; a free seat can be taken again.",
        ),
        Words(
            "Il token non è di questo tavolo",
            "Il token non è mai stato di questo tavolo, oppure il suo posto nel frattempo è stato lasciato o tolto; "
            "o l'intestazione non contiene affatto un token.",
            "Dimenticare il token. Senza, il tavolo si può ancora guardare; un posto libero si può riprendere.",
        ),
    ),
    "no_key": Kind(
        401,
        Words(
            "Only holders of a key open tables here",
            "Whoever runs this house keeps the opening of tables to those who hold one of its keys, and the request "
            "carries none of them. Playing at a table that is open needs no key.",
            "Ask whoever runs the house for a key, and send it as `X-API-Key` when opening a table.",
        ),
        Words(
            "Qui apre tavoli solo chi ha una chiave",
            "Chi gestisce questa casa riserva l'apertura dei tavoli a chi ha una delle sue chiavi, e la richiesta non "
            "ne porta nessuna. Per giocare a un tavolo già aperto la chiave non serve.",
            "Chiedere una chiave a chi gestisce la casa, e mandarla come `X-API-Key` quando si apre un tavolo.",
        ),
    ),
    "not_host": Kind(
        403,
        Words(
            "Only the host may do this",
            "The token is good, but another seat's: `facts.host` is the host's.",
            "Offer this to the host alone. When the host leaves, another seat becomes host.",
        ),
        Words(
            "Lo può fare solo chi tiene il tavolo",
            "Il token è valido, ma è di un altro posto: quello di chi tiene il tavolo è `facts.host`.",
            "Proporlo solo a chi tiene il tavolo. Se va via, il compito passa a un altro posto.",
        ),
        {"facts": {"host": 0}},
    ),
    "not_your_seat": Kind(
        403,
        Words(
            "The token is another seat's",
            "A seat acts for itself: nobody gives a seed, comes back or leaves in another's place. Only the host may "
            "remove others.",
            "Name the seat that the token belongs to: the table says it as `you`.",
        ),
        Words(
            "Il token è di un altro posto",
            "Ognuno agisce per sé: nessuno dà il seme, ritorna o lascia al posto di un altro. Togliere altri dal "
            "tavolo può farlo solo chi lo tiene.",
            "Indicare il posto a cui appartiene il token: il tavolo lo dice in `you`.",
        ),
    ),
}
