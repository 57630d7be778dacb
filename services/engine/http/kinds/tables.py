"""What is not there, and tables that are not in the state for what is asked."""

from services.engine.http.kinds.kind import Kind, Words

LOOK_AGAIN = "Fetch the table again and offer what is possible now."
LOOK_AGAIN_IT = "Chiedere di nuovo il tavolo e proporre quello che adesso è possibile."

KINDS = {
    "no_such_game": Kind(
        404,
        Words(
            "There is no such game",
            "The path names a game that this house does not know.",
            "Take the name from `GET /v1/games`; `detail` lists them.",
        ),
        Words(
            "Questo gioco non c'è",
            "Il percorso nomina un gioco che questa casa non conosce.",
            "Prendere il nome da `GET /v1/games`; `detail` li elenca.",
        ),
        {"detail": "there are gatto_rosso, ramino, diavoletto, presidente"},
    ),
    "no_such_table": Kind(
        404,
        Words(
            "There is no such table, or no longer",
            "No table has this id. Tables go some hours after the last thing that happened at an open one, some days "
            "after a match.",
            "Forget the table and its tokens, and open another one.",
        ),
        Words(
            "Questo tavolo non c'è, o non c'è più",
            "Nessun tavolo ha questo identificativo. Un tavolo aperto sparisce qualche ora dopo l'ultima cosa "
            "successa, uno su cui si è giocato dopo qualche giorno.",
            "Dimenticare il tavolo e i suoi token, e aprirne un altro.",
        ),
    ),
    "no_such_seat": Kind(
        404,
        Words(
            "The table has no such seat",
            "Seats count from 0, and there are as many as people and computer players that sit at the table.",
            "Fetch the table again: when somebody leaves an open table, those behind move up.",
        ),
        Words(
            "Il tavolo non ha questo posto",
            "I posti si contano da 0, e sono tanti quanti quelli che siedono al tavolo, persone o computer.",
            "Chiedere di nuovo il tavolo: quando qualcuno lascia un tavolo aperto, chi viene dopo scala di un posto.",
        ),
        {"facts": {"seat": 5}},
    ),
    "no_such_deal": Kind(
        404,
        Words(
            "The table has had no such deal",
            "Deals count from 1 in each match, and this one was not played, or not in this match.",
            "Take the number from `match.deal`; `?match=` chooses an earlier match of the table.",
        ),
        Words(
            "Su questo tavolo la smazzata non c'è stata",
            "Le smazzate si contano da 1 in ogni partita, e questa non è stata giocata, o non in questa partita.",
            "Prendere il numero da `match.deal`; `?match=` sceglie una partita precedente dello stesso tavolo.",
        ),
    ),
    "already_computer": Kind(
        409,
        Words(
            "A computer player holds this seat already",
            "In play a seat that is left goes to a computer player. This one has gone already.",
            LOOK_AGAIN,
        ),
        Words(
            "Questo posto lo tiene già il computer",
            "A partita in corso un posto lasciato passa al computer. Per questo è già successo.",
            LOOK_AGAIN_IT,
        ),
        {"facts": {"seat": 1}},
    ),
    "already_playing": Kind(
        409,
        Words(
            "The match is under way already",
            "The match has started, perhaps just now; what is asked belongs before the first deal.",
            LOOK_AGAIN,
        ),
        Words(
            "La partita è già cominciata",
            "La partita è cominciata, magari proprio adesso; quello che si chiede va fatto prima della prima smazzata.",
            LOOK_AGAIN_IT,
        ),
    ),
    "deal_over": Kind(
        409,
        Words(
            "The deal is over",
            "The last card of this deal has been played: nobody is on turn.",
            "At a table, wait for the next deal or offer a rematch. In the stateless calls, deal again.",
        ),
        Words(
            "La smazzata è finita",
            "L'ultima carta di questa smazzata è stata giocata: non tocca più a nessuno.",
            "A un tavolo, aspettare la smazzata seguente o proporre la rivincita. Nelle chiamate senza stato, dare di "
            "nuovo le carte.",
        ),
    ),
    "match_not_over": Kind(
        409,
        Words(
            "The match is not over yet",
            "The proof of a deal shows the seed from which all deals of its match come; it is told when the match is "
            "over.",
            "Ask again when `match.result` is there.",
        ),
        Words(
            "La partita non è ancora finita",
            "La prova di una smazzata svela il seme da cui vengono tutte le smazzate della partita: si dà a partita "
            "finita.",
            "Chiedere di nuovo quando c'è `match.result`.",
        ),
        {"facts": {"match": 1}},
    ),
    "not_away": Kind(
        409,
        Words(
            "Nobody holds this hand in the player's place",
            "The seat plays for itself already: there is no hand to take back.",
            LOOK_AGAIN,
        ),
        Words(
            "Nessuno sta giocando queste carte al posto di chi le ha",
            "Chi occupa il posto sta già giocando da sé: non c'è niente da riprendere.",
            LOOK_AGAIN_IT,
        ),
        {"facts": {"seat": 1}},
    ),
    "not_open": Kind(
        409,
        Words(
            "The table is not open any more",
            "Seats and terms change only before the match starts. `facts.status` says how the table is.",
            "Watch this table, or open another one.",
        ),
        Words(
            "Il tavolo non è più aperto",
            "Posti e condizioni si cambiano solo prima che la partita cominci. `facts.status` dice com'è il tavolo.",
            "Guardare questo tavolo, o aprirne un altro.",
        ),
        {"facts": {"status": "playing"}},
    ),
    "not_playing": Kind(
        409,
        Words(
            "No match is under way",
            "The match has not started yet, or is over already. `facts.status` says which.",
            "Wait for the host to start the match, or the rematch.",
        ),
        Words(
            "Nessuna partita in corso",
            "La partita non è ancora cominciata, o è già finita: lo dice `facts.status`.",
            "Aspettare che chi tiene il tavolo faccia cominciare la partita, o la rivincita.",
        ),
        {"facts": {"status": "open"}},
    ),
    "not_your_turn": Kind(
        409,
        Words(
            "It is another seat's turn",
            "`facts.turn` is the seat that everybody waits for.",
            "Follow the table's events, and move when `deal.turn` is one's own seat.",
        ),
        Words(
            "Tocca a un altro posto",
            "Il posto che tutti aspettano è `facts.turn`.",
            "Seguire gli eventi del tavolo, e giocare quando `deal.turn` è il proprio posto.",
        ),
        {"facts": {"turn": 1}},
    ),
    "rules_changed": Kind(
        409,
        Words(
            "The table was dealt by other rules than this release plays by",
            "A new release has changed this game's rules, and will not play on a deal that began by the old ones.",
            "Open a new table.",
        ),
        Words(
            "Le carte di questo tavolo sono state date con altre regole",
            "Una nuova versione ha cambiato le regole di questo gioco, e non continua una smazzata cominciata con "
            "quelle di prima.",
            "Aprire un tavolo nuovo.",
        ),
        {"facts": {"rules": 1, "now": 2}},
    ),
    "table_full": Kind(
        409,
        Words(
            "Every seat is taken",
            "With these options no more than `facts.most` may play, and as many sit there.",
            "Watch the table, or open another one.",
        ),
        Words(
            "I posti sono tutti occupati",
            "Con queste opzioni si gioca al massimo in `facts.most`, e il tavolo è al completo.",
            "Guardare il tavolo, o aprirne un altro.",
        ),
        {"facts": {"most": 10}},
    ),
    "too_few_players": Kind(
        409,
        Words(
            "There are too few players to start",
            "The game needs `facts.least` seats taken, and only `facts.seats` are.",
            "Wait for somebody to sit down, or seat computer players.",
        ),
        Words(
            "Si è in troppo pochi per cominciare",
            "Il gioco richiede `facts.least` posti occupati, e ce ne sono solo `facts.seats`.",
            "Aspettare che qualcuno si sieda, o aggiungere giocatori del computer.",
        ),
        {"facts": {"seats": 1, "least": 2}},
    ),
    "too_many_players": Kind(
        409,
        Words(
            "There are more players than these options admit",
            "With the options asked for, no more than `facts.most` may play, and `facts.seats` sit there already.",
            "Choose other options, or let somebody leave first.",
        ),
        Words(
            "Si è in più di quanti ne ammettono queste opzioni",
            "Con le opzioni richieste si gioca al massimo in `facts.most`, e al tavolo si è già in `facts.seats`.",
            "Scegliere altre opzioni, o far prima alzare qualcuno.",
        ),
        {"facts": {"seats": 3, "most": 2}},
    ),
    "stale": Kind(
        412,
        Words(
            "The table has moved on since the version that the request names",
            "`If-Match` names an older version than the table's, which is told as `version` and as `ETag`. Nothing was "
            "done.",
            "Fetch the table again, and decide anew on what is there now.",
        ),
        Words(
            "Il tavolo è andato avanti rispetto alla versione indicata",
            "`If-Match` indica una versione superata; quella attuale è in `version` e in `ETag`. Non è stato fatto "
            "niente.",
            "Chiedere di nuovo il tavolo, e decidere in base a com'è adesso.",
        ),
        {"version": 18},
    ),
}
