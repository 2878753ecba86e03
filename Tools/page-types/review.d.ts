// What a review is given (ReviewPage.swift), and what its scripts make of it.

/** A curve of a row: its key, its range, how long it is in seconds, and its bytes of the golden session and of this one in base64. */
type Thumbnail = [key: string, low: number, high: number, seconds: number, golden: string, run: string];

interface Review {
  golden: string | null;
  id: string;
  verdict: string;
  alignment: string;
  sessions: [number: number, uuid: string, name: string | null][];
  /** Lists whose fields `namedRow` names. */
  rows: any[][];
}
