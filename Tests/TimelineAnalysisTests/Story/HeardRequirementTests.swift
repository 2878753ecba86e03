import TestSupport
import Testing
import TimelineModel
import TimelineSession
import TimelineStore

@testable import MotionJudgement

/// What requirements say of a page whose recording says what it had heard, and of its twin whose recording does not.
@Suite struct HeardRequirementTests {
  private let item = MotionSubject.item("sheet", .centerY)

  /// What is found of a page's sheet, by the names of the numbers.
  private func verdicts(
    _ page: FilmedPage, _ rules: MotionExpectation...
  ) throws -> [String: Verdict] {
    let found = try page.judge { session, reader in
      try ExpectationJudge(rules).verdicts(of: session, in: reader)
    }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.measure, $0) })
  }

  /// The twin whose recording does not say what was heard.
  private func unheard(_ page: FilmedPage) -> FilmedPage {
    var twin = page
    for place in twin.touches.indices { twin.touches[place].heard = nil }
    return twin
  }

  @Test func `a throw of 83 ms is decided by what was heard, and is too short to tell without`()
    throws
  {
    let page = FilmedPage.sheet(seconds: 0.083)
    // Frames that do not say when they began do not say what they knew, either.
    var unsaid = page
    unsaid.saysBegan = false
    let told = try verdicts(page, .follows(item), .handsOver(item))
    #expect(told.count == 4, "\(told)")
    #expect(told.values.allSatisfy { $0.passes && !$0.isUndecided }, "\(told)")
    for twin in [unheard(page), unsaid] {
      let told = try verdicts(twin, .follows(item), .handsOver(item))
      for measure in ["gain", "rms_pt", "kept_percent"] {
        #expect(try #require(told[measure]).isUndecided, "\(told)")
      }
    }
  }

  @Test(arguments: [60.0, 120]) func `a page that shows late what it heard fails, its twin passes`(
    rate: Double
  ) throws {
    // 50 ms at both rates.
    let late = try verdicts(.sheet(rate: rate, delay: rate / 20), .follows(item))
    let lag = try #require(late["lag_ms"])
    #expect(!lag.passes, "\(lag)")
    #expect(!lag.isUndecided, "\(lag)")
    // And the time that a place takes to be heard and shown.
    let interval = try #require(lag.finding.interval)
    #expect(interval.lowerBound > 48, "\(lag)")
    #expect(interval.upperBound < 75, "\(lag)")
    #expect(try #require(late["gain"]).finding.interval?.contains(1) == true, "\(late)")
    let prompt = try verdicts(.sheet(rate: rate), .follows(item))
    #expect(prompt.values.allSatisfy { $0.passes && !$0.isUndecided }, "\(prompt)")
  }

  @Test func `a page that forgets the finger's speed fails, its twin passes`() throws {
    for (keeps, passes) in [(0.0, false), (1, true)] {
      let page = FilmedPage.sheet(keeps: keeps, seconds: 0.083)
      for gain in [nil, 1.0] {
        let kept = try #require(try verdicts(page, .handsOver(item, gain: gain))["kept_percent"])
        #expect(kept.passes == passes, "\(kept)")
        #expect(!kept.isUndecided, "\(kept)")
        #expect(try #require(kept.finding.interval).contains(100 * keeps), "\(kept)")
      }
    }
  }

  @Test func `a key in a unit of its own is judged by what was heard, for any gain`() throws {
    let (key, gain) = (MotionSubject.key("progress"), -1.0 / 220)
    let page = FilmedPage.sheet(seconds: 0.083)
    let prompt = try verdicts(page, .follows(key, gain: gain), .handsOver(key))
    for measure in ["lag_ms", "gain", "kept_percent"] {
      let verdict = try #require(prompt[measure])
      #expect(verdict.passes, "\(verdict)")
      #expect(!verdict.isUndecided, "\(verdict)")
    }
    let half = try #require(try verdicts(page, .follows(key, gain: gain / 2))["gain"])
    #expect(!half.passes, "\(half)")
    #expect(half.finding.interval?.contains(gain) == true, "\(half)")
    let late = try #require(
      try verdicts(.sheet(delay: 3), .follows(key, gain: gain))["lag_ms"])
    #expect(!late.passes, "\(late)")
    #expect(!late.isUndecided, "\(late)")
  }

  @Test func `what was heard within a dead zone does not count`() throws {
    let page = FilmedPage.sheet(zone: 10, seconds: 0.2)
    let told = try verdicts(page, .follows(item, deadZone: 10))
    #expect(told.values.allSatisfy { $0.passes && !$0.isUndecided }, "\(told)")
  }

  @Test func `a frame that was over before it was read is not judged`() throws {
    var page = FilmedPage.sheet(seconds: 0.2)
    // The frame is there with a place that it did not show.
    let pose = page.elements[0].pose
    let frame = page.frame
    page.elements[0].pose = { time in
      Int((time / frame).rounded()) == 18
        ? (Rect2D(x: 20, y: 0, width: 350, height: 300), 1) : pose(time)
    }
    #expect(try #require(try verdicts(page, .follows(item))["rms_pt"]).passes == false)
    page.unread = [18]
    #expect(try verdicts(page, .follows(item)).values.allSatisfy { $0.passes })
  }

  @Test
  func
    `from amid the motion on, frames are judged by their times, and from rest on by what was heard`()
    throws
  {
    let page = FilmedPage.sheet(seconds: 0.2)
    func lag(_ page: FilmedPage, from seconds: Double) throws -> Verdict {
      var rule = MotionExpectation.follows(item)
      rule.from = .seconds(seconds)
      return try #require(try verdicts(page, rule)["lag_ms"])
    }
    #expect(try lag(page, from: 0.3) == lag(unheard(page), from: 0.3))
    #expect(try lag(page, from: 0.205).finding.interval == lag(page, from: 0.1).finding.interval)
    #expect(try lag(page, from: 0.205) != lag(unheard(page), from: 0.205))
  }

  @Test(arguments: [60.0, 120]) func `of pages that are drawn by chance intervals hold the truth`(
    rate: Double
  ) throws {
    var dice = SplitMix(seed: 5)
    var coverages: [String: FoundInDrags.Coverage] = [:]
    for _ in 0..<50 {
      let drag = SimulatedDrag(rate: rate, dice: &dice)
      let told = try verdicts(
        FilmedPage(drag, name: "sheet"), .follows(item), .handsOver(item))
      for (measure, truth) in [
        ("lag_ms", drag.lag.map { $0 * 1000 }), ("gain", drag.gain),
        ("kept_percent", 100 * drag.kept),
      ] {
        guard let verdict = told[measure], let number = verdict.value,
          let interval = verdict.finding.interval, let truth
        else { continue }
        coverages[measure, default: .init()].add(
          Estimated(number, low: interval.lowerBound, high: interval.upperBound), truth)
      }
    }
    for (measure, least) in [("lag_ms", 25), ("gain", 45), ("kept_percent", 30)] {
      let coverage = coverages[measure, default: .init()]
      #expect(coverage.share >= 0.85, "\(measure): \(coverage)")
      #expect(coverage.count >= least, "\(measure): \(coverage)")
    }
  }
}
