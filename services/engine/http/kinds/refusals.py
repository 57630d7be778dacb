"""The rules forbid the move."""

from services.engine.http.kinds.kind import Kind, Words
from shared.messages import JsonObject

REMEDY = "Tell the player why, with the help of `facts`, and offer the moves that the table lists as legal."
REMEDY_IT = "Spiegare perché a chi gioca, con l'aiuto di `facts`, e proporre le mosse che il tavolo dà per valide."


def _en(title: str, meaning: str) -> Words:
    return Words(title, meaning, REMEDY)


def _it(title: str, meaning: str) -> Words:
    return Words(title, meaning, REMEDY_IT)


def _refusal(en: Words, it: Words, facts: JsonObject | None = None) -> Kind:
    """Return a refusal from what is said of it, and from what may explain one."""
    return Kind(422, en, it, {"facts": facts} if facts else {})


KINDS = {
    "ace_first": _refusal(
        _en(
            "An Ace must be played first",
            "Diavoletto: who holds an Ace, or shows one on the mazzetto or on a column, may not end the turn before it "
            "opens a build. `facts.aces` names them.",
        ),
        _it(
            "Prima va giocato un Asso",
            "Diavoletto: chi ha un Asso in mano, o in cima al mazzetto o a una colonna, non può finire il turno senza "
            "averlo giocato. `facts.aces` dice quali.",
        ),
        {"aces": [{"from": "hand", "card": "Ah", "column": None}]},
    ),
    "finish_ban": _refusal(
        _en(
            "A hand may not be emptied with this card",
            "Presidente: the options forbid that the last cards of a hand contain a joker, an Eight, or either.",
        ),
        _it(
            "Con questa carta non si può restare a mani vuote",
            "Presidente: le opzioni vietano che l'ultima calata contenga un jolly, un Otto, o l'uno e l'altro.",
        ),
        {"cards": ["8h"]},
    ),
    "incomplete": _refusal(
        _en(
            "The selection is not a whole move yet",
            "Nothing is wrong with what was chosen so far, but more belongs to the move. `facts` says what would "
            "complete it: cards, combinations, columns or builds.",
        ),
        _it(
            "La scelta non è ancora una mossa completa",
            "In quello che si è scelto finora non c'è niente di sbagliato, ma alla mossa manca qualcosa. `facts` dice "
            "che cosa può completarla: carte, combinazioni, colonne o pile.",
        ),
        {"cards": ["7s"], "combinations": [["7h", "7s"]]},
    ),
    "joker_as": _refusal(
        _en(
            "The move must say which card the joker stands for",
            "Presidente: in this straight the joker may stand for more than one card. `facts.cards` lists them.",
        ),
        _it(
            "La mossa deve dire per quale carta sta il jolly",
            "Presidente: in questa scala il jolly può stare per più di una carta. `facts.cards` le elenca.",
        ),
        {"cards": ["3h", "6h"]},
    ),
    "joker_opens": _refusal(
        _en("A joker never opens a build", "Diavoletto: only an Ace opens a build, and a joker never stands for one."),
        _it(
            "Un jolly non apre mai una pila",
            "Diavoletto: una pila la apre solo un Asso, e il jolly non può farne le veci.",
        ),
    ),
    "joker_stays": _refusal(
        _en(
            "A joker may be discarded only from a hand that holds nothing else",
            "Diavoletto: the options keep jokers in the hand as long as another card can be discarded.",
        ),
        _it(
            "Un jolly si scarta solo se in mano non c'è altro",
            "Diavoletto: con queste opzioni il jolly resta in mano finché si può scartare un'altra carta.",
        ),
    ),
    "must_beat": _refusal(
        _en(
            "What is played does not beat what lies on top",
            "The card or the combination is too low for `facts.top`, by the order that holds now.",
        ),
        _it(
            "Quello che si gioca non batte quello che c'è in cima",
            "La carta o la combinazione è troppo bassa per `facts.top`, nell'ordine che vale adesso.",
        ),
        {"card": "4h", "top": "7h"},
    ),
    "must_discard": _refusal(
        _en(
            "Who still holds cards ends the turn with a discard",
            "Diavoletto: only an empty hand with nothing left to draw ends its turn without one.",
        ),
        _it(
            "Chi ha ancora carte finisce il turno con uno scarto",
            "Diavoletto: il turno si chiude senza scartare solo a mani vuote, quando non c'è più niente da pescare.",
        ),
    ),
    "must_lead": _refusal(
        _en("Who leads must play a card", "Nothing lies on the table: who opens may not pass."),
        _it("Chi apre deve calare una carta", "In tavola non c'è niente: chi apre non può passare."),
    ),
    "must_play": _refusal(
        _en(
            "Who can beat may not pass",
            "Gatto Rosso: a card in the hand beats `facts.top`, and one of `facts.cards` must be played.",
        ),
        _it(
            "Chi può battere non può passare",
            "Gatto Rosso: in mano c'è di che battere `facts.top`, e bisogna giocare una delle `facts.cards`.",
        ),
        {"top": "5h", "cards": ["7h", "2d"]},
    ),
    "no_such_build": _refusal(
        _en(
            "There is no such build",
            "Diavoletto: the build does not lie on the table (any more), or none takes this card now.",
        ),
        _it(
            "Questa pila non c'è",
            "Diavoletto: la pila non è in tavola, o non lo è più; oppure nessuna adesso riceve questa carta.",
        ),
        {"build": 2},
    ),
    "no_such_column": _refusal(
        _en("There is no such column", "Diavoletto: the column from which a card should come is empty."),
        _it("Questa colonna non c'è", "Diavoletto: la colonna da cui dovrebbe venire la carta è vuota."),
        {"column": 3},
    ),
    "no_such_meld": _refusal(
        _en(
            "There is no such meld",
            "Ramino: only `facts.melds` combinations lie on the table, counted from 0. One that has got its fourth "
            "card is gone.",
        ),
        _it(
            "Questa combinazione non è in tavola",
            "Ramino: le combinazioni in tavola sono `facts.melds`, contate da 0. Quando una riceve la quarta carta, "
            "finisce nel pozzo.",
        ),
        {"melds": 1},
    ),
    "not_a_combination": _refusal(
        _en(
            "The cards are not a combination",
            "The cards neither follow one another nor belong together as the game asks for.",
        ),
        _it(
            "Le carte non fanno una combinazione",
            "Le carte non sono in fila e non stanno insieme in nessun modo previsto dal gioco.",
        ),
        {"cards": ["4h", "9s"]},
    ),
    "not_adjacent": _refusal(
        _en(
            "The cards do not follow one another", "Ramino: the numbers of a scala make a row without gaps or repeats."
        ),
        _it("Le carte non sono in fila", "Ramino: i numeri di una scala si seguono senza salti e senza ripetizioni."),
        {"cards": ["1", "2", "4"]},
    ),
    "not_descending": _refusal(
        _en(
            "The column takes only the same or the next lower rank",
            "Diavoletto: the options say so. `facts.columns` lists the columns that take the card.",
        ),
        _it(
            "Sulla colonna va solo lo stesso valore o quello subito sotto",
            "Diavoletto: così vogliono le opzioni. `facts.columns` elenca le colonne che ricevono la carta.",
        ),
        {"card": "7h", "columns": [2]},
    ),
    "not_in_hand": _refusal(
        _en(
            "The card is not in the hand",
            "The move names a card that the player does not hold, or the same one twice. Who holds it is not said.",
        ),
        _it(
            "La carta non è in mano",
            "La mossa nomina una carta che chi gioca non ha, oppure due volte la stessa. Chi ce l'abbia non si dice.",
        ),
        {"card": "7h"},
    ),
    "not_on_top": _refusal(
        _en(
            "The card does not lie on top there",
            "Diavoletto: of the mazzetto and of each column only the top card may be played.",
        ),
        _it(
            "La carta lì non è in cima",
            "Diavoletto: del mazzetto e di ogni colonna si gioca solo la carta in cima.",
        ),
        {"card": "7h", "top": "Ks"},
    ),
    "nothing_to_draw": _refusal(
        _en(
            "There is no card to draw there",
            "Ramino: the stock cannot be made anew, or the discards are empty. `facts.from` says which was asked for.",
        ),
        _it(
            "Lì non c'è nessuna carta da pescare",
            "Ramino: il tallone non si può rifare, oppure il pozzo è vuoto. `facts.from` dice dove si voleva pescare.",
        ),
        {"from": "stock"},
    ),
    "repeated_figure": _refusal(
        _en("A figure is there twice", "Ramino: the figures of a tris or a quartetto all differ."),
        _it("Una figura è ripetuta", "Ramino: le figure di un tris o di un quartetto sono tutte diverse."),
        {"cards": ["gnao"]},
    ),
    "taken_card": _refusal(
        _en(
            "The card taken from the discards binds the player",
            "Ramino: who took a card from the discards may not throw it, or its twin, back in the same turn, unless "
            "the hand holds nothing else.",
        ),
        _it(
            "La carta presa dal pozzo non si può ributtare",
            "Ramino: chi ha preso una carta dal pozzo non può scartare, nello stesso turno, né quella né la sua "
            "gemella, a meno che in mano non abbia altro.",
        ),
        {"card": "gnao"},
    ),
    "tax_count": _refusal(
        _en(
            "The tax is another number of cards",
            "Presidente: exactly `facts.count` cards are given away as the tax.",
        ),
        _it(
            "La tassa è di un altro numero di carte",
            "Presidente: come tassa si danno esattamente `facts.count` carte.",
        ),
        {"count": 2},
    ),
    "too_many_builds": _refusal(
        _en(
            "No more builds may be opened now",
            "Diavoletto: the options allow `facts.max_piles` builds on the table at a time, and as many lie there.",
        ),
        _it(
            "Adesso non si possono aprire altre pile",
            "Diavoletto: con queste opzioni in tavola stanno insieme al massimo `facts.max_piles` pile, e ci sono già "
            "tutte.",
        ),
        {"max_piles": 3},
    ),
    "unbeatable": _refusal(
        _en(
            "The combination on top cannot be beaten",
            "Presidente: nothing goes on a joker alone, nor on an Eight where the options say so.",
        ),
        _it(
            "La combinazione in cima non si può battere",
            "Presidente: sul jolly da solo non va niente; nemmeno su un Otto, se così vogliono le opzioni.",
        ),
        {"top": ["JK"]},
    ),
    "wrong_kind": _refusal(
        _en(
            "The combination is of another kind than the one on top",
            "Presidente: a pair answers a pair, a straight a straight. `facts.needed` is the kind that is asked for.",
        ),
        _it(
            "La combinazione è di un tipo diverso da quella in cima",
            "Presidente: a una coppia si risponde con una coppia, a una scala con una scala. Il tipo richiesto è "
            "`facts.needed`.",
        ),
        {"kind": "single", "needed": "pair", "top": ["5h", "5s"]},
    ),
    "wrong_length": _refusal(
        _en(
            "The combination has a wrong number of cards",
            "It is longer or shorter than the one on top, or holds more cards than the game allows at once.",
        ),
        _it(
            "La combinazione ha un numero di carte sbagliato",
            "È più lunga o più corta di quella in cima, oppure ha più carte di quante il gioco ne ammetta insieme.",
        ),
        {"length": 3, "needed": 4, "top": ["4h", "5h", "6h", "7h"]},
    ),
    "wrong_phase": _refusal(
        _en(
            "The move belongs to another phase of the turn",
            "Ramino: one draws first, then lays and discards. Presidente: the tax comes before the play. "
            "`facts.phase` is the phase now.",
        ),
        _it(
            "La mossa appartiene a un'altra fase del turno",
            "Ramino: prima si pesca, poi si cala e si scarta. Presidente: la tassa viene prima del gioco. "
            "`facts.phase` è la fase attuale.",
        ),
        {"phase": "draw"},
    ),
    "wrong_rank": _refusal(
        _en(
            "The build needs another rank",
            "Diavoletto: builds grow one by one from the Ace to the King. `facts.needs` is the rank that goes there.",
        ),
        _it(
            "La pila richiede un altro valore",
            "Diavoletto: le pile crescono di uno in uno dall'Asso al Re. Il valore che ci va è `facts.needs`.",
        ),
        {"card": "9h", "needs": "7"},
    ),
}
