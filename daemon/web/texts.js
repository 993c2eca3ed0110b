/* Every word of the page, one row a text: English, French, Dutch. `{name}` is filled in. Those of a
 * game that is being played are in texts_play.js. */
import { PLAYING } from "./texts_play.js";

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
  "home": ["To the start page", "À la page d’accueil", "Naar de beginpagina"],
  "retrying": [
    "The server cannot be reached. Trying again …",
    "Le serveur est injoignable. Nouvel essai …",
    "De server is niet bereikbaar. Nieuwe poging …",
  ],
  "loading": ["One moment …", "Un instant …", "Een ogenblik …"],
  "busy": [
    "The server is busy. Try again in {seconds} seconds.",
    "Le serveur est occupé. Réessayez dans {seconds} secondes.",
    "De server is bezet. Probeer het over {seconds} seconden opnieuw.",
  ],
  "failed": ["That did not work: {detail}", "Cela a échoué : {detail}", "Dat lukte niet: {detail}"],

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
    "English draughts, checkers: 12 men each, kings move one square, any capture may be chosen",
    "Dames anglaises : 12 pions chacun, la dame avance d’une case, choix de la prise",
    "Engels dammen: 12 schijven elk, de dam gaat één veld, vrije keuze van slag",
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
  "setup.read": ["The rules of {rules}", "Les règles : {rules}", "De regels: {rules}"],
  "setup.level": ["Level, with its Elo", "Niveau, avec son Elo", "Niveau, met zijn Elo"],
  "setup.elo": ["{elo} ± {error}", "{elo} ± {error}", "{elo} ± {error}"], // not to be broken
  "setup.locked": ["Locked", "Verrouillé", "Op slot"],
  "setup.next": [
    "Win against {level} without undo or hint, and {next} opens.",
    "Battez {level} sans annulation ni conseil, et {next} s’ouvre.",
    "Win van {level} zonder terugnemen of hint, en {next} gaat open.",
  ],
  "setup.numbers": ["What are these numbers?", "Que disent ces nombres ?", "Wat zijn die getallen?"],
  "setup.first": ["First move", "Premier coup", "Eerste zet"],
  "setup.first.me": ["I begin ({side})", "Je commence ({side})", "Ik begin ({side})"],
  "setup.first.opponent": [
    "My opponent begins (I play {side})",
    "L’adversaire commence (je joue les {side})",
    "De tegenstander begint (ik speel {side})",
  ],
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
  "setup.lead": [
    "Draughts against a computer that learned by playing itself, or with a friend. No account is needed.",
    "Les dames contre un ordinateur qui a appris en jouant contre lui-même, ou avec un ami. Sans compte.",
    "Dammen tegen een computer die leerde door tegen zichzelf te spelen, of met een vriend. Zonder account.",
  ],
  "setup.continue": [
    "Continue your game: {rules}, {against}",
    "Reprendre votre partie : {rules}, {against}",
    "Verder met uw partij: {rules}, {against}",
  ],
  "setup.look": ["Preview of the board", "Aperçu du damier", "Voorbeeld van het bord"],

  ...PLAYING,

  // Accounts
  "account.title": ["Your account", "Votre compte", "Uw account"],
  "account.why": [
    "An account keeps the levels you open and your wins, those before you sign up too. No e-mail is asked for.",
    "Un compte garde vos niveaux et vos victoires, aussi celles d’avant l’inscription. Aucune adresse n’est demandée.",
    "Een account bewaart uw niveaus en overwinningen, ook die van vóór de aanmelding. Er wordt geen e-mailadres gevraagd.",
  ],
  "account.name": ["Name", "Nom", "Naam"],
  "account.password": ["Password", "Mot de passe", "Wachtwoord"],
  "account.current-password": ["Current password", "Mot de passe actuel", "Huidig wachtwoord"],
  "account.password.rule": ["At least 8 characters", "Au moins 8 caractères", "Minstens 8 tekens"],
  "account.log-in": ["Log in", "Se connecter", "Inloggen"],
  "account.sign-up": ["Sign up", "S’inscrire", "Aanmelden"],
  "account.log-out": ["Log out", "Se déconnecter", "Uitloggen"],
  "account.logged-out": ["Logged out.", "Vous êtes déconnecté.", "U bent uitgelogd."],
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
  "account.copy": ["Copy", "Copier", "Kopiëren"],
  "account.recover": ["I have lost my password", "J’ai perdu mon mot de passe", "Ik ben mijn wachtwoord kwijt"],
  "account.code": ["Recovery code", "Code de secours", "Herstelcode"],
  "account.new-password": ["New password", "Nouveau mot de passe", "Nieuw wachtwoord"],
  "account.change": ["Change password", "Changer le mot de passe", "Wachtwoord wijzigen"],
  "account.changed": ["Password changed.", "Mot de passe changé.", "Wachtwoord gewijzigd."],
  "account.deleted": ["Account deleted.", "Compte supprimé.", "Account verwijderd."],
  "account.export": ["Download your data", "Télécharger vos données", "Uw gegevens downloaden"],
  "account.opened": [
    "{rules}: {level} is open, {wins} of {games} games won",
    "{rules} : {level} ouvert, {wins} parties gagnées sur {games}",
    "{rules}: {level} is open, {wins} van {games} partijen gewonnen",
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
