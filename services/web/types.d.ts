// The types of the API, by the names that the page uses. `scripts/lint-web` makes api.d.ts from the OpenAPI document.

import type { components } from "./api.js";

type Schemas = components["schemas"];

export type JsonObject = Record<string, any>;
export type ChangeTable = Omit<Schemas["ChangeTable"], "options"> & { options?: JsonObject };
export type ComputerLevel = NonNullable<Schemas["OpenTable"]["substitute_level"]>;
export type DeliveryList = Schemas["DeliveryList"];
export type EventPage = { events: StreamItem[] };
export type GameInfo = Schemas["GameInfo"];
export type GameDetails = Schemas["GameDetails"];
export type GameWords = Schemas["GameWords"];
export type Hint = Schemas["Hint"];
export type LegalMoves = { turn: number | null; moves: JsonObject[] };
export type Lesson = Omit<Schemas["Lesson"], "start" | "steps"> & { start: LessonMoment; steps: LessonStep[] };
export type LessonMoment = { deal: JsonObject; view: JsonObject; moves: JsonObject[]; events: JsonObject[]; words: TableWords };
export type LessonStep = Omit<Schemas["LessonStep"], "move" | "then"> & { move: JsonObject; then: LessonMoment[] };
export type ListedTable = Schemas["ListedTable"];
export type LobbyNow = Schemas["LobbyNow"];
export type MoveCards = Schemas["MoveCards"];
export type Match = Schemas["Match"];
export type Moved = { table: Table; events: JsonObject[] };
export type OpenTable = { game: string; name: string } & JsonObject;
export type OwnServer = Schemas["OwnServer"];
export type PlayAnswer = { deal: JsonObject; events: JsonObject[]; result: Schemas["Result"] | null };
export type ProblemBody = Partial<Schemas["Problem"]> & { title: string; status: number; code: string; text?: string };
export type Pile = Schemas["Pile"];
export type Proof = Schemas["Proof"];
export type SaidRemark = Schemas["SaidRemark"];
export type RemarkName = SaidRemark["remark"];
export type RemarkWords = Schemas["RemarkWords"];
export type Review = Schemas["Review"];
export type RoundsAnswer = Schemas["RoundsAnswer"];
export type RoundsRequest = Schemas["RoundsRequest"];
export type Seat = Schemas["Seat"];
export type Seated = { table: Table; seat: number; token: string | null };
export type SelectedCard = Schemas["SelectedCard"];
export type Selection = Schemas["Selection"];
export type Server = Schemas["Server"];
export type SitDown = { name: string; kind?: "person" | "computer"; level?: string; client_seed?: string; server?: OwnServer };
export type StreamItem = { id: number; event: "change" | "gap"; table: Table };
export type Subscribe = Partial<Schemas["Subscribe"]>;
export type Subscribed = Schemas["Subscribed"];
export type NextEvening = Schemas["NextEvening"];
export type SubscriptionList = Schemas["SubscriptionList"];
export type Suggestion = Schemas[Extract<keyof Schemas, `${string}Suggestion`>];
export type Table = Omit<Schemas["Table"], "options" | "deal" | "moves" | "events"> & {
    options: JsonObject;
    deal: JsonObject | null;
    moves: JsonObject[];
    events: JsonObject[];
};
export type TablePage = { tables: ListedTable[]; next: string | null };
export type TakenCard = Schemas["TakenCard"];
export type TableWords = Schemas["TableWords"];
export type Verdict = Schemas["Verdict"];
export type WaitingNotice = Schemas["WaitingNotice"];
