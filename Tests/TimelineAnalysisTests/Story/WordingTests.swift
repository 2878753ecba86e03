import MotionMeasures
import Testing
import TimelineModel
import TimelineSession

@testable import MotionJudgement

/// The sentence of each thing that a story and a verdict can say.
@Suite struct WordingTests {
  private static let some = Estimated(20, low: 14, high: 26)
  private static let ease = DeclaredAnimation(
    item: "sheet", kind: "CSSTransition", name: "transform", properties: ["transform"],
    duration: 0.3, delay: 0.05, easing: "cubic-bezier(0.2, 0, 0, 1)", iterations: 1, time: 0,
    start: 0)

  private static func following(own: Estimated?, isLate: Bool = false) -> StoryDetail {
    .follows(
      StoryDetail.Following(
        axis: .y, lag: Estimated(0.02, low: 0.01, high: 0.03), own: own, share: nil,
        gain: Estimated(1, low: 0.9, high: 1.1), isLate: isLate, frames: 6, frame: 1.0 / 60,
        slop: 0))
  }

  private static func settling(
    _ end: StoryDetail.Settling.End, _ overshoot: Double? = 0,
    _ curve: StoryDetail.Settling.Curve = .none
  ) -> StoryDetail {
    .settle(
      StoryDetail.Settling(
        end: end, time: 0.25, after: .act(.swipe), overshoot: overshoot, beyond: 12, reach: 40,
        curve: curve))
  }

  private static func fading(_ from: Double, _ to: Double) -> StoryDetail {
    .moves(
      StoryDetail.Moving(
        fade: StoryDetail.Fade(from: from, to: to, turn: to, frames: 9), end: .took(0.2)))
  }

  static let sentences: [(StoryDetail, String)] = [
    (.none, ""),
    (.easing(ease), "bezier(0.2,0,0,1)"),
    (
      .restarts(ease),
      "does not follow the finger: with each move its 300 ms bezier(0.2,0,0,1) after 50 ms "
        + "(CSS transition) starts again"
    ),
    (.nothingFollows, "nothing follows the finger"),
    (.moreFollow(1), "1 more element follows alike"),
    (.moreFollow(2), "2 more elements follow alike"),
    (.scrolls(deadZone: 2), "scrolls with the finger"),
    (.scrolls(deadZone: 8), "scrolls with the finger, dead zone 8 px"),
    (
      .scrollsNatively(way: 90, end: 100, wait: 0.1),
      "scrolls natively by 90 px and rests at 100 px, 100 ms after the lift"
    ),
    (
      following(own: Estimated(0.1, low: 0, high: 0.4)),
      "follows y, 20 ms (10 to 30) behind the finger, none of it the page's; "
        + "goes as far as the finger"
    ),
    (
      following(own: Estimated(2, low: 0, high: 4)),
      "follows y; lag 10 to 30 ms: 6 frames are too few to tell; goes as far as the finger"
    ),
    (
      following(own: Estimated(2, low: 1.9, high: 2.1), isLate: true),
      "follows y, 20 ms (10 to 30) behind the finger, 2.0 frames (1.9 to 2.1) of it the page's; "
        + "goes as far as the finger"
    ),
    (
      following(own: nil),
      "follows y, 20 ms (10 to 30) behind the finger; goes as far as the finger"
    ),
    (
      .followsScroll(
        StoryDetail.ScrollFollowing(
          scroller: "list", lag: Estimated(1, low: 0.9, high: 1.1), frame: 0.01, gain: 0.5,
          share: 0.3)),
      "follows the scroll of list, 1.0 frames (0.9 to 1.1), 10 ms behind it; "
        + "goes 0.50 times as far (lerp 0.30)"
    ),
    (.deadZone(10), "dead zone of 10 px, then follows"),
    (.pickup(some, isAhead: true), "jumps 20 px (14 to 26) ahead of the finger at pick-up"),
    (
      .leak(some, along: .x, way: 12), "leaks across: 20 % (14 to 26) of the finger's x, 12 px"
    ),
    (.speedUnknown, "speed at the lift: too short to tell"),
    (.fingerStopped, "finger had stopped before it let go"),
    (.stays, "stays where it was let go"),
    (
      .flickCancelled(speed: 900),
      "thrown at 900 px/s, but goes back to where it was: the flick is cancelled"
    ),
    (
      .handOver(
        letGo: some,
        .goesOn(some, kept: Estimated(0.5, low: 0.4, high: 0.6), by: nil)),
      "let go at 20 px/s (14 to 26) at its last report, goes on at 20: keeps 50 % (40 to 60)"
    ),
    (
      .handOver(letGo: some, .unknown("a frame is missing")),
      "let go at 20 px/s (14 to 26) at its last report; with what speed it goes on: "
        + "too short to tell: a frame is missing"
    ),
    (settling(.rest), "at rest 250 ms after the lift"),
    (settling(.rest, 5), "at rest 250 ms after the lift, overshoot 5.0 % (12 px)"),
    (settling(.rest, nil), "at rest 250 ms after the lift, 40.0 px away and back"),
    (settling(.restBefore), "at rest before the lift"),
    (
      .settle(StoryDetail.Settling(end: .rest, time: 0.25, after: .release, overshoot: 0)),
      "at rest 250 ms after the release"
    ),
    (
      .settle(
        StoryDetail.Settling(end: .rest, time: 0.25, after: .act(.transition), overshoot: 0)),
      "at rest 250 ms after the start"
    ),
    (settling(.recording), "still moves at the end of the recording, 250 ms after the lift"),
    (settling(.nextContact), "still moves when the next contact lands, 250 ms after the lift"),
    (
      settling(.rest, 0, .constant(duration: 0.3)),
      "at rest 250 ms after the lift; not a spring: constant speed for 300 ms"
    ),
    (
      settling(
        .rest, 0,
        .spring(
          stiffness: Estimated(200, low: 190, high: 210),
          damping: Estimated(20, low: 19, high: 21), ratio: 0.71)),
      "at rest 250 ms after the lift; spring: stiffness 200.0 (190.0 to 210.0), "
        + "damping 20.0 (19.0 to 21.0), ratio 0.71"
    ),
    (
      .interrupted(speed: 400, by: .click, .declared(place: 30)),
      "interrupted at 400 px/s by the click, 30 px on its way: turns without its speed "
        + "(a declared animation keeps none)"
    ),
    (
      .interrupted(
        speed: 400, by: .click,
        .kept(Estimated(0.5, low: 0.4, high: 0.6), isRestart: false)),
      "interrupted at 400 px/s by the click: keeps 50 % (40 to 60) of its speed"
    ),
    (.noReaction(.press), "nothing moves after the key"),
    (.starts(wait: 0.12, after: .act(.hover)), "starts 120 ms after the pointer came"),
    (
      .moves(
        StoryDetail.Moving(way: StoryDetail.Way(way: 50, across: 30, down: -40), end: .took(0.2))),
      "moves 50.0 px (+30, -40) in 200 ms"
    ),
    (
      .moves(
        StoryDetail.Moving(fade: StoryDetail.Fade(from: 0, to: 1, turn: 1, frames: 5), turn: 1)),
      "fades in, turns 57.3° at once"
    ),
    (fading(0.5, 0.56), "fades from 50 to 56 % of opacity in 200 ms"),
    (fading(0.5, 0.3), "fades from 50 to 30 % of opacity in 200 ms"),
    (fading(0, 1), "fades in in 200 ms"),
    (fading(0, 0.6), "fades in to 60 % in 200 ms"),
    (fading(1, 0), "fades out in 200 ms"),
    (fading(0.8, 0), "fades out from 80 % in 200 ms"),
    (
      .moves(
        StoryDetail.Moving(
          way: StoryDetail.Way(way: 232.6, across: 0, down: 200), end: .took(0.2))),
      "moves 233 px, 33 back in 200 ms"
    ),
    (
      .moves(
        StoryDetail.Moving(way: StoryDetail.Way(way: 200, across: 0, down: 0), end: .took(0.2))),
      "moves 200 px and back in 200 ms"
    ),
    (
      .handOver(
        letGo: some, .goesOn(some, kept: Estimated(0.1, low: -0.1, high: 0.2), by: nil)),
      "let go at 20 px/s (14 to 26) at its last report, keeps none of it (-10 to 20 %)"
    ),
    (
      .moves(
        StoryDetail.Moving(
          size: .sized(
            from: Size2D(width: 10, height: 20), to: Size2D(width: 20, height: 40),
            about: Point2D(x: 0.5, y: 1)), end: .declared(ease))),
      "resizes 10×20 to 20×40, grows from the middle of its bottom edge: "
        + "300 ms bezier(0.2,0,0,1) after 50 ms (CSS transition)"
    ),
    (.linear(duration: 0.3), "moves at constant speed for 300 ms and stops dead (linear)"),
    (.movesUnlessReduced(way: 60), "moves 60 px although reduced motion is asked for"),
    (
      .jump(StoryDetail.Stepping(size: 20, isBack: true, before: -3, after: 4, when: .lift)),
      "jumps back 20 px in one frame at the lift (frames about it: -3, +4)"
    ),
    (.flashBehindFade(shown: 0.05), "flashes: back for 50 ms when it had faded out"),
    (
      .flash(shown: 0.05, next: 0.1),
      "flashes: at full opacity for 50 ms, then 0.10, then fades in"
    ),
    (.blink(from: 1, to: 0.2), "blinks: opacity 1.00 to 0.20 in one frame and up again"),
    (
      .atOnce(way: 40, others: ["a", "b c"], take: 0.3),
      "goes 40 px at once while a, 'b c' take 300 ms"
    ),
    (.startTogether(3), "all 3 start together"),
    (.startEvenly(gap: 0.04), "start one after the other, 40 ms apart"),
    (.startUnevenly(gaps: [0.04, 0.09]), "start unevenly, 40, 90 ms apart"),
    (
      .order(isAbove: false, other: "card", since: 0.1),
      "goes under card in mid-motion, 100 ms after the start"
    ),
    (
      .runsAgain(wait: 0.2, name: "", isRemade: true),
      "runs again 200 ms after it began (animation): the element was made anew"
    ),
    (
      .lateFrame(gap: 0.05, what: "work", file: "page.js", line: 7, held: 0.04),
      "late by the page: 50 ms between two frames; work (page.js:7) held the page for 40 ms"
    ),
    (
      .lateFrames(2, of: 60, longest: 0.05, isMachine: false), "2 of 60 late; longest 50 ms"
    ),
    (.noLateFrame(of: 60), "60, none late"),
    (.unrest, "had not come to rest when the recording ended"),
    (.ambient, "moved before anything was done; not judged"),
    (.unlooked(2, of: 9), "2 of 9 elements were not looked at"),
    (.unfitted(1), "1 more motion was not fitted"),
    (.moreMove(3), "3 more elements move"),
    (.otherPages(1), "1 frame of another page was not looked into"),
    (.canvas, "a canvas or video covers a part of it, and is not looked into"),
    (
      .small([StoryDetail.SmallChange(channel: .alpha, change: 0.02)]),
      "changes by less than is told: opacity by 2.0 % (limit 3.0 %)"
    ),
    (.moreSmall(2), "2 more elements change by less than is told"),
    (.scriptError("no"), "script error: \"no\""),
  ]

  @Test(arguments: sentences) func `each finding has its sentence`(
    _ detail: StoryDetail, _ sentence: String
  ) {
    #expect(Wording.sentence(detail, unit: "px") == sentence)
  }

  @Test func `words for a share that is kept say what its interval allows`() {
    func words(_ value: Double, _ low: Double, _ high: Double) -> String {
      Wording.kept(Estimated(value, low: low, high: high))
    }
    #expect(words(0.19, 0.14, 0.23) == "keeps 19 % (14 to 23)")
    #expect(words(-0.15, -0.28, 0.26) == "keeps none of it (-28 to 26 %)")
    #expect(words(0.4, -0.1, 0.9) == "how much of it is kept cannot be told (-10 to 90 %)")
    #expect(words(-0.5, -0.6, -0.4) == "keeps -50 % (-60 to -40)")
  }

  @Test func `a point of an element has words`() {
    for (x, y, words) in [
      (0.5, 0.5, "its center"), (0.02, -0.03, "its top left corner"),
      (0.5, 1, "the middle of its bottom edge"), (1, 0.5, "the middle of its right edge"),
      (0.03, -0.07, "a point 3 % from its left edge and 7 % above its top edge"),
      (1.1, 0.3, "a point 10 % right of its right edge and 30 % from its top edge"),
    ] as [(Double, Double, String)] {
      #expect(Wording.point(x, y) == words)
    }
  }

  @Test func `elements that do alike have one sentence`() {
    #expect(Wording.alike(["a", "b"], "a", "rests", isSame: true) == "each rests")
    #expect(
      Wording.alike(["a", "b", "c"], "a b", "rests", isSame: false) == "3 alike, 'a b' rests")
  }

  // MARK: Verdicts

  /// A requirement's number at 0.94 s, with the requirement's place.
  private static func required(
    _ kind: MotionExpectation.Kind, _ measure: String, _ number: Estimated?, _ limit: Limit,
    id: String? = nil, note: String? = nil
  ) -> Verdict {
    let interval = number.flatMap { $0.low < $0.high ? $0.low...$0.high : nil }
    var verdict = Verdict(
      Finding(
        subject: "blur", measure: measure, value: number?.value, interval: interval,
        instant: Instant(seconds: 0.94), note: note), limit)
    verdict.source = .requirement(Verdict.Requirement(index: 1, kind: kind, id: id))
    return verdict
  }

  private static func compared(
    _ measure: String, _ value: Double?, limit: Double?, _ grade: Verdict.Grade,
    difference: String? = nil, offset: String? = nil, isOfGolden: Bool = true
  ) -> Verdict {
    var verdict = Verdict(
      subject: "x", measure: measure, value: value, limit: limit,
      rule: Tolerances.RuleReference(index: 1, name: "lag", id: nil), grade: grade,
      difference: difference)
    (verdict.offset, verdict.isOfGolden) = (offset, isOfGolden)
    return verdict
  }

  static let verdicts: [(Verdict, String)] = [
    (
      required(.settlesBy, "settled_ms", Estimated(640, low: 640, high: 640), .atMost(520)),
      "blur: settled_ms 640 at 0.94 s is above 520 (requirement 2 'settles_by')"
    ),
    (
      required(
        .settlesBy, "settled_ms", Estimated(440, low: 440, high: 440), .atMost(520), id: "calm"),
      "blur: settled_ms 440 at 0.94 s is within 520 (requirement 'calm')"
    ),
    (
      required(.apart, "gap_pt", Estimated(4, low: 4, high: 4), .atLeast(3)),
      "blur: gap_pt 4 at 0.94 s is at least 3 (requirement 2 'apart')"
    ),
    (
      required(.apart, "gap_pt", Estimated(1, low: 1, high: 1), .atLeast(3), note: "of two"),
      "blur: gap_pt 1 at 0.94 s is below 3; of two (requirement 2 'apart')"
    ),
    (
      required(.follows, "lag_ms", Estimated(17, low: 2, high: 90), .atMost(20)),
      "blur: lag_ms 17 (2 to 90) at 0.94 s is within 20 or not: too short to tell (requirement 2 'follows')"
    ),
    (
      compared("lag_ms", 30, limit: 17, .fail, difference: "x comes 30 ms later"),
      "x comes 30 ms later (limit 2 'lag': 17)"
    ),
    (
      compared(
        "settle_2_ms", 98, limit: 77, .fail, difference: "x settles in 392 instead of 294 ms",
        offset: "settles 98 ms later than"),
      "x settles in 392 instead of 294 ms: settles 98 ms later than golden (limit 2 'lag': 77)"
    ),
    (
      compared(
        "final_value", 10, limit: 5, .warn, offset: "ends 10 below", isOfGolden: false),
      "x ends 10 below A (limit 2 'lag': 5)"
    ),
    (
      compared("max_abs", 0.03, limit: 0.02, .fail),
      "x: max_abs 0.03 is above 0.02 (limit 2 'lag')"
    ),
    (
      compared("max_abs", 0.01, limit: 0.02, .pass),
      "x: max_abs 0.01 is within 0.02 (limit 2 'lag')"
    ),
    (compared("missing", nil, limit: nil, .fail), "x is missing (limit 2 'lag')"),
    (compared("lag_ms", nil, limit: 17, .fail), "x: lag_ms is not known (limit 2 'lag')"),
  ]

  @Test(arguments: verdicts) func `each verdict has its sentence`(
    _ verdict: Verdict, _ sentence: String
  ) {
    #expect(verdict.sentence == sentence)
  }

  @Test(
    arguments: [
      (.settle2, "settles 98 ms later than", "settles 98 ms earlier than"),
      (
        .settle5, "settles (within 5 %) 98 ms later than", "settles (within 5 %) 98 ms earlier than"
      ),
      (.rise, "rises for 98 ms longer than", "rises for 98 ms less than"),
      (
        .overshoot, "overshoots by 98 % of its distance more than",
        "overshoots by 98 % of its distance less than"
      ),
      (
        .undershoot, "first goes back by 98 % of its distance more than",
        "first goes back by 98 % of its distance less than"
      ),
      (.finalValue, "ends 98 above", "ends 98 below"),
      (
        .peakVelocity, "has a peak velocity that is 98 per second above that of",
        "has a peak velocity that is 98 per second below that of"
      ),
      (
        .releaseVelocity, "has a velocity at the release that is 98 per second above that of",
        "has a velocity at the release that is 98 per second below that of"
      ),
      (.lag, "comes 98 ms later than", "comes 98 ms earlier than"),
    ] as [(Measure, String, String)])
  func `a figure that is off has its direction`(_ measure: Measure, _ more: String, _ less: String)
  {
    #expect(measure.offset(98, limit: nil) == more)
    #expect(measure.offset(-98, limit: nil) == less)
  }

  @Test func `a figure that is off is printed above its limit, and without a sign in both ways`() {
    #expect(Measure.settle2.offset(98.04, limit: 98.01) == "settles 98.04 ms later than")
    #expect(
      Measure.settle2.offset(98, limit: 77, hasSign: false) == "settles 98 ms later or earlier than"
    )
    #expect(Measure.lagBeyond(-50) == "has a lag beyond 50 ms, earlier than")
  }
}
