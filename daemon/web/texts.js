/* Every word of the page, one row a text: English, French, Dutch. `{name}` is filled in. */

export const LANGUAGES = { en: "English", fr: "Français", nl: "Nederlands" };

const COLUMN = { en: 0, fr: 1, nl: 2 };

// prettier-ignore
const TEXTS = {
  // Around every screen
  "nav.play": ["Play", "Jouer", "Spelen"],
  "nav.leaderboard": ["Leaderboard", "Classement", "Ranglijst"],
  "nav.rules": ["Rules", "Règles", "Regels"],
  "nav.guide": ["Guide", "Guide", "Gids"],
  "nav.about": ["About", "À propos", "Over"],
  "nav.account": ["Log in", "Se connecter", "Inloggen"],
  "nav.language": ["Language", "Langue", "Taal"],
  "loading": ["One moment …", "Un instant …", "Een ogenblik …"],
  "network": [
    "The daemon cannot be reached. Trying again …",
    "Le serveur est injoignable. Nouvel essai …",
    "De server is niet bereikbaar. Nieuwe poging …",
  ],
  "busy": [
    "The daemon is busy. Try again in {seconds} seconds.",
    "Le serveur est occupé. Réessayez dans {seconds} secondes.",
    "De server is bezet. Probeer het over {seconds} seconden opnieuw.",
  ],
  "failed": ["That did not work: {detail}", "Cela a échoué : {detail}", "Dat lukte niet: {detail}"],
  "not-found": ["There is nothing here.", "Il n’y a rien ici.", "Hier is niets."],

  // Words of the game
  "white": ["White", "Blancs", "Wit"],
  "black": ["Black", "Noirs", "Zwart"],
  "rules.international": ["International 10×10", "Internationales 10×10", "Internationaal 10×10"],
  "rules.classic": ["Classic 8×8", "Classiques 8×8", "Klassiek 8×8"],
  "rules.flying": ["Flying kings 8×8", "Dames volantes 8×8", "Vliegende dammen 8×8"],
  "rules.international.note": [
    "20 men each, flying kings, the most pieces must be taken",
    "20 pions chacun, dames volantes, prise majoritaire obligatoire",
    "20 schijven elk, vliegende dammen, meerslag gaat voor",
  ],
  "rules.classic.note": [
    "12 men each, kings move one square, any capture may be chosen",
    "12 pions chacun, la dame avance d’une case, choix de la prise",
    "12 schijven elk, de dam gaat één veld, vrije keuze van slag",
  ],
  "rules.flying.note": [
    "12 men each, flying kings, any capture may be chosen",
    "12 pions chacun, dames volantes, choix de la prise",
    "12 schijven elk, vliegende dammen, vrije keuze van slag",
  ],
  "level.1": ["Beginner", "Débutant", "Beginner"],
  "level.2": ["Easy", "Facile", "Makkelijk"],
  "level.3": ["Medium", "Moyen", "Gemiddeld"],
  "level.4": ["Hard", "Difficile", "Moeilijk"],
  "level.5": ["Expert", "Expert", "Expert"],
  "level.6": ["Master", "Maître", "Meester"],

  // Setting up a game
  "setup.title": ["New game", "Nouvelle partie", "Nieuwe partij"],
  "setup.opponent": ["Against", "Contre", "Tegen"],
  "setup.computer": ["The computer", "L’ordinateur", "De computer"],
  "setup.local": ["A person on this device", "Une personne sur cet appareil", "Iemand op dit apparaat"],
  "setup.friend": ["A friend, by a link", "Un ami, par un lien", "Een vriend, via een link"],
  "setup.rules": ["Rules", "Règles", "Regels"],
  "setup.level": ["Level", "Niveau", "Niveau"],
  "setup.elo": ["{elo} ± {error} Elo", "{elo} ± {error} Elo", "{elo} ± {error} Elo"],
  "setup.locked": [
    "Locked: win against {level} without undo or hint",
    "Verrouillé : battez {level} sans reprise ni conseil",
    "Op slot: win van {level} zonder terugnemen of hint",
  ],
  "setup.first": ["First move", "Premier coup", "Eerste zet"],
  "setup.first.me": ["I begin", "Je commence", "Ik begin"],
  "setup.first.opponent": ["My opponent begins", "L’adversaire commence", "De tegenstander begint"],
  "setup.looks": ["Board and pieces", "Damier et pions", "Bord en schijven"],
  "setup.theme": ["Board", "Damier", "Bord"],
  "setup.pieces": ["Pieces", "Pions", "Schijven"],
  "theme.wood": ["Wood", "Bois", "Hout"],
  "theme.green": ["Green", "Vert", "Groen"],
  "theme.blue": ["Blue", "Bleu", "Blauw"],
  "theme.grey": ["Grey", "Gris", "Grijs"],
  "pieces.discs": ["Discs", "Disques", "Schijven"],
  "pieces.rings": ["Rings", "Anneaux", "Ringen"],
  "pieces.flat": ["Flat", "Plats", "Vlak"],
  "setup.sound": ["Sound", "Son", "Geluid"],
  "setup.start": ["Start", "Commencer", "Beginnen"],
  "setup.continue": ["Continue your game", "Reprendre votre partie", "Verder met uw partij"],
  "setup.look": ["Preview of the board", "Aperçu du damier", "Voorbeeld van het bord"],

  // Playing
  "play.board": ["Draughts board", "Damier", "Dambord"],
  "play.you": ["You", "Vous", "U"],
  "play.friend": ["Friend", "Ami", "Vriend"],
  "play.computer": ["Computer, {level}", "Ordinateur, {level}", "Computer, {level}"],
  "play.turn.you": ["Your move", "À vous de jouer", "U bent aan zet"],
  "play.turn.other": ["Your opponent is to move", "À l’adversaire de jouer", "De tegenstander is aan zet"],
  "play.turn.side": ["{side} to move", "Trait aux {side}", "{side} aan zet"],
  "play.thinking": ["Thinking …", "Réflexion …", "Denkt na …"],
  "play.go-on": ["Go on capturing", "Continuez la prise", "Sla verder"],
  "play.waiting": ["Waiting for your friend", "En attente de votre ami", "Wachten op uw vriend"],
  "play.invite": [
    "Send this link to your friend; the game begins when it is opened.",
    "Envoyez ce lien à votre ami ; la partie commence quand il l’ouvre.",
    "Stuur deze link naar uw vriend; de partij begint als hij geopend wordt.",
  ],
  "play.copy": ["Copy link", "Copier le lien", "Link kopiëren"],
  "play.copied": ["Copied", "Copié", "Gekopieerd"],
  "play.reconnecting": ["Reconnecting …", "Reconnexion …", "Opnieuw verbinden …"],
  "play.absent": ["away", "absent", "afwezig"],
  "play.taken": ["{count} taken", "{count} pris", "{count} geslagen"],
  "play.repetitions": [
    "Position seen {now} of {limit} times",
    "Position vue {now} fois sur {limit}",
    "Stelling {now} van {limit} keer gezien",
  ],
  "play.quiet": [
    "{now} of {limit} half-moves without capture or move of a man",
    "{now} demi-coups sur {limit} sans prise ni coup de pion",
    "{now} van {limit} halve zetten zonder slag of schijfzet",
  ],
  "play.moves": ["Moves", "Coups", "Zetten"],
  "play.step.first": ["To the start", "Au début", "Naar het begin"],
  "play.step.back": ["Back one move", "Reculer d’un coup", "Een zet terug"],
  "play.step.on": ["On one move", "Avancer d’un coup", "Een zet vooruit"],
  "play.step.last": ["To the present", "À la position actuelle", "Naar nu"],
  "play.looking-back": [
    "You are looking back. The game goes on at the last move.",
    "Vous revoyez la partie. Elle continue au dernier coup.",
    "U kijkt terug. De partij gaat verder bij de laatste zet.",
  ],
  "play.undo": ["Undo", "Reprendre", "Terugnemen"],
  "play.hint": ["Hint", "Conseil", "Hint"],
  "play.hint.shown": ["Hint: {move}, {idea}.", "Conseil : {move}, {idea}.", "Hint: {move}, {idea}."],
  "idea.only-move": ["it is the only move", "c’est le seul coup", "het is de enige zet"],
  "idea.ends-the-game": ["the opponent is left without a move", "l’adversaire n’a plus de coup", "de tegenstander kan niet meer zetten"],
  "idea.takes": ["it takes what is offered", "il prend ce qui est offert", "slaat wat wordt aangeboden"],
  "idea.crowns": ["it makes a king", "il fait une dame", "levert een dam op"],
  "idea.shot": ["it gives material up and takes more back", "il sacrifie pour reprendre davantage", "offert en slaat meer terug"],
  "idea.guards": ["it guards against a capture", "il pare une prise", "verhindert een slag"],
  "idea.threatens": ["it threatens to capture", "il menace de prendre", "dreigt te slaan"],
  "idea.quiet": ["it makes the position better", "il améliore la position", "verbetert de stelling"],
  "play.flip": ["Flip the board", "Retourner le damier", "Bord draaien"],
  "play.numbers": ["Numbers", "Numéros", "Nummers"],
  "play.sound": ["Sound", "Son", "Geluid"],
  "play.pdn": ["Save as PDN", "Enregistrer en PDN", "Opslaan als PDN"],
  "play.resign": ["Resign", "Abandonner", "Opgeven"],
  "play.resign.sure": ["Resign this game?", "Abandonner cette partie ?", "Deze partij opgeven?"],
  "play.offer": ["Offer a draw", "Proposer la nulle", "Remise aanbieden"],
  "play.withdraw": ["Withdraw the offer", "Retirer la proposition", "Aanbod intrekken"],
  "play.offered": ["You are offered a draw.", "On vous propose la nulle.", "U krijgt remise aangeboden."],
  "play.accept": ["Accept", "Accepter", "Aannemen"],
  "play.decline": ["Decline", "Refuser", "Afwijzen"],
  "play.claim": ["Claim the win", "Réclamer la victoire", "Winst opeisen"],
  "play.new": ["New game", "Nouvelle partie", "Nieuwe partij"],
  "play.rematch": ["Rematch", "Revanche", "Revanche"],
  "play.spoiled": [
    "A win of this game opens no level ({reason}).",
    "Gagner cette partie n’ouvre pas de niveau ({reason}).",
    "Winst in deze partij opent geen niveau ({reason}).",
  ],
  "spoiled.undo": ["a move was taken back", "un coup a été repris", "er is een zet teruggenomen"],
  "spoiled.hint": ["a hint was shown", "un conseil a été montré", "er is een hint getoond"],
  "spoiled.set-up position": ["a set-up position", "position composée", "een opgezette stelling"],
  "play.join": ["Join the game", "Rejoindre la partie", "Meespelen"],
  "play.join.text": [
    "You are invited to a game: {rules}.",
    "Vous êtes invité à une partie : {rules}.",
    "U bent uitgenodigd voor een partij: {rules}.",
  ],
  "play.watching": ["You are looking on", "Vous regardez", "U kijkt toe"],
  "play.moved": ["{side}: {move}", "{side} : {move}", "{side}: {move}"],
  "play.yes": ["Yes", "Oui", "Ja"],
  "play.no": ["No", "Non", "Nee"],

  // What stands on a square, for those who hear the board
  "square.empty": ["{square}, empty", "{square}, vide", "{square}, leeg"],
  "square.white.man": ["{square}, white man", "{square}, pion blanc", "{square}, witte schijf"],
  "square.white.king": ["{square}, white king", "{square}, dame blanche", "{square}, witte dam"],
  "square.black.man": ["{square}, black man", "{square}, pion noir", "{square}, zwarte schijf"],
  "square.black.king": ["{square}, black king", "{square}, dame noire", "{square}, zwarte dam"],
  "square.can-move": ["can move", "peut jouer", "kan zetten"],
  "square.target": ["the chosen piece can go here", "la pièce choisie peut y aller", "het gekozen stuk kan hierheen"],
  "square.taken": ["is being taken", "est prise", "wordt geslagen"],

  // Why not
  "refused.must-capture": [
    "You must capture. Pieces that can: {squares}.",
    "La prise est obligatoire. Pièces possibles : {squares}.",
    "Slaan is verplicht. Dat kan met: {squares}.",
  ],
  "refused.must-take-most": [
    "You must take the most: {count}. Pieces that can: {squares}.",
    "Il faut prendre le plus de pièces : {count}. Pièces possibles : {squares}.",
    "U moet de meeste stukken slaan: {count}. Dat kan met: {squares}.",
  ],
  "refused.must-go-on": [
    "The capture must go on.",
    "La prise doit continuer.",
    "De slag moet worden voortgezet.",
  ],
  "refused.not-your-piece": ["That piece is not yours.", "Ce n’est pas votre pièce.", "Dat stuk is niet van u."],
  "refused.piece-is-stuck": [
    "That piece cannot move. Pieces that can: {squares}.",
    "Cette pièce est bloquée. Pièces possibles : {squares}.",
    "Dat stuk kan niet weg. Dit kan wel: {squares}.",
  ],
  "refused.ambiguous": [
    "Several captures end there. Choose the squares one by one.",
    "Plusieurs prises finissent là. Choisissez case par case.",
    "Meer dan één slag eindigt daar. Kies veld voor veld.",
  ],
  "refused.other": ["That is not a legal move.", "Ce coup est interdit.", "Dat is geen geldige zet."],
  "refused.not-your-turn": ["It is not your turn.", "Ce n’est pas à vous de jouer.", "U bent niet aan zet."],

  // How it ended
  "over.won": ["You have won", "Vous avez gagné", "U hebt gewonnen"],
  "over.lost": ["You have lost", "Vous avez perdu", "U hebt verloren"],
  "over.draw": ["A draw", "Partie nulle", "Remise"],
  "over.white wins": ["White has won", "Les blancs ont gagné", "Wit heeft gewonnen"],
  "over.black wins": ["Black has won", "Les noirs ont gagné", "Zwart heeft gewonnen"],
  "over.none": ["No result", "Sans résultat", "Geen uitslag"],
  "reason.no pieces": ["no pieces are left", "plus de pièces", "geen stukken meer"],
  "reason.no moves": ["no move is left", "plus de coup possible", "geen zet meer"],
  "reason.repetition": [
    "the same position for the third time",
    "troisième répétition de la position",
    "voor de derde keer dezelfde stelling",
  ],
  "reason.25-move rule": ["25 moves without progress", "25 coups sans progrès", "25 zetten zonder vooruitgang"],
  "reason.resigned": ["by resignation", "par abandon", "door opgave"],
  "reason.agreed": ["by agreement", "par accord mutuel", "met wederzijds goedvinden"],
  "reason.opponent gone": ["the opponent has gone", "l’adversaire est parti", "de tegenstander is weg"],
  "reason.expired": ["nobody went on playing", "personne n’a continué", "niemand speelde verder"],
  "over.opened": ["{level} is open now.", "{level} est ouvert.", "{level} is nu open."],

  // Accounts
  "account.title": ["Your account", "Votre compte", "Uw account"],
  "account.why": [
    "An account keeps the levels that you open and your wins. No e-mail is asked for.",
    "Un compte garde vos niveaux et vos victoires. Aucune adresse n’est demandée.",
    "Een account bewaart uw niveaus en overwinningen. Er wordt geen e-mailadres gevraagd.",
  ],
  "account.name": ["Name", "Nom", "Naam"],
  "account.password": ["Password", "Mot de passe", "Wachtwoord"],
  "account.log-in": ["Log in", "Se connecter", "Inloggen"],
  "account.sign-up": ["Sign up", "S’inscrire", "Aanmelden"],
  "account.log-out": ["Log out", "Se déconnecter", "Uitloggen"],
  "account.delete": ["Delete account", "Supprimer le compte", "Account verwijderen"],
  "account.delete.sure": [
    "This deletes your account, levels and name for good.",
    "Ceci supprime définitivement compte, niveaux et nom.",
    "Dit verwijdert account, niveaus en naam voorgoed.",
  ],
  "account.recovery": [
    "Write this recovery code down. It is shown once, and it is the only way back when the password is lost:",
    "Notez ce code de secours. Il n’est montré qu’une fois et c’est le seul recours si le mot de passe est perdu :",
    "Schrijf deze herstelcode op. U ziet hem één keer, en zonder wachtwoord is er geen andere weg terug:",
  ],
  "account.noted": ["I have written it down", "Je l’ai noté", "Ik heb hem opgeschreven"],
  "account.recover": ["I have lost my password", "J’ai perdu mon mot de passe", "Ik ben mijn wachtwoord kwijt"],
  "account.code": ["Recovery code", "Code de secours", "Herstelcode"],
  "account.new-password": ["New password", "Nouveau mot de passe", "Nieuw wachtwoord"],
  "account.change": ["Change password", "Changer le mot de passe", "Wachtwoord wijzigen"],
  "account.export": ["Download your data", "Télécharger vos données", "Uw gegevens downloaden"],
  "account.opened": [
    "{rules}: up to {level}, {wins} won of {games}",
    "{rules} : jusqu’à {level}, {wins} gagnées sur {games}",
    "{rules}: tot en met {level}, {wins} gewonnen van {games}",
  ],

  // Leaderboard, about
  "board.all": ["All rules", "Toutes les règles", "Alle regels"],
  "board.rank": ["Rank", "Rang", "Plaats"],
  "board.player": ["Player", "Joueur", "Speler"],
  "board.level": ["Highest level", "Meilleur niveau", "Hoogste niveau"],
  "board.wins": ["Wins", "Victoires", "Gewonnen"],
  "board.games": ["Games", "Parties", "Partijen"],
  "board.empty": [
    "Nobody has opened a level yet. Be the first.",
    "Personne n’a encore ouvert de niveau. Soyez le premier.",
    "Nog niemand heeft een niveau geopend. Wees de eerste.",
  ],
  "board.next": ["Next page", "Page suivante", "Volgende pagina"],
  "board.first": ["First page", "Première page", "Eerste pagina"],
  "about.title": ["How strong are the levels?", "Quelle est la force des niveaux ?", "Hoe sterk zijn de niveaus?"],
  "about.text": [
    "The computer learned draughts by playing itself. The strength of each level is measured in games between the levels: Elo, with the random mover Beginner at 0. The bars are 95 % intervals.",
    "L’ordinateur a appris les dames en jouant contre lui-même. La force de chaque niveau est mesurée par des parties entre niveaux : Elo, le Débutant qui joue au hasard étant à 0. Les barres sont des intervalles à 95 %.",
    "De computer leerde dammen door tegen zichzelf te spelen. De sterkte van elk niveau is gemeten in partijen tussen de niveaus: Elo, met de willekeurig zettende Beginner op 0. De balken zijn 95 %-intervallen.",
  ],
  "about.column.level": ["Level", "Niveau", "Niveau"],
  "about.column.elo": ["Elo", "Elo", "Elo"],
  "about.column.games": ["Games measured", "Parties mesurées", "Gemeten partijen"],
};

/** The language that a browser's list of preferences leads to. */
export function languageFor(preferred) {
  return preferred.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES) ?? "en";
}

/** t(key, values) in a language; a text that is missing shows its key. */
export function translator(language) {
  return (key, values = {}) =>
    (TEXTS[key]?.[COLUMN[language]] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether there is a text of that name. */
export function hasText(key) {
  return key in TEXTS;
}
