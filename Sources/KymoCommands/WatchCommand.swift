import JSONText
import PageBrowser
import TimelineModel
import TimelineStore
import WebRecorder

/// `kymo watch`: a page in a browser that is driven and recorded.
func watchCommand() -> Command {
  Command(
    name: "watch", summary: "Open a page in a browser, act on it, and report its motion",
    arguments: "[URL|FILE.html] [ACTIONS]", argumentCount: 0...1,
    examples: [
      "kymo watch page.html --click '#go'",
      "kymo watch page.html --drag '#sheet' up --speed 300",
      "kymo watch http://localhost:3000 --swipe '#sheet' 0,-240 --into sheet.kymo",
      "kymo watch --again sheet.kymo",
      "kymo watch page.html --swipe '#sheet' 0,-240 --against sheet.kymo",
    ],
    exits: [
      .yes: "if no fault is found, or with --against nothing differs",
      .no:
        "if a line with ! reports a fault, if something differs with --against, or if a requirement is not met",
      .loss: "if lines of the recording were left out",
      .unreadable: "if a browser or an element is missing, or the page does not load",
      .interrupted: "if control-C or SIGTERM ends it, and no file is left",
    ],
    discussion: """
      Prints the actions, a verdict, and a line for each fact: the elements that followed the finger,
      their lag, the speed that the release kept, and the settle. A line with ! is a fault in
      nearly every design. "16 ms (14 to 20)" is a number with its 90 % interval. Seconds in brackets
      are those of the recording.

      kymo URL and kymo FILE.html are kymo watch. With --against the differences come first. A fault of
      the other page that is gone is mended. Neither it nor a consequence of it is a difference.

      --allow excuses a fault of kymo help faults by its name or id, of one element if one is named.
      kymo prints it as excused, and the exit code is 0 if there is no other fault.

      Actions run in the order of the words. A flag of an action belongs to the action before it. A
      bare number is in milliseconds, and 150ms works too. WAY is up, down, left, right (240 px) or
      DX,DY. Without actions the load of the page is recorded.

      A click's instant is its lift, and its button goes down 80 ms before. --tap, --long-press and
      --pinch are fingers, and open no menu of the browser's own.

      On the clock steady, kymo begins each frame and sets its time, in the headless shell of
      Chromium. A busy machine then changes nothing. The clock real is that of a whole browser, and
      shows late frames and native scrolling. auto uses steady if there is a headless shell, and
      real if steady cannot serve the page.

      Nothing is downloaded, and kymo itself opens no connection. The browser gets a private folder
      as its profile, which kymo removes at the end. The browser refuses downloads, new windows and
      file choosers, and accepts dialogs. Texts of the page are cut and quoted.
      """,
    flags: [
      WatchFlags.actions, WatchFlags.page, WatchFlags.recording,
    ], run: runWatch)
}

/// The flags of `kymo watch` alone.
enum WatchFlags {
  // MARK: Actions

  static var click: Flag<String> { .text("click", "SELECTOR", "press and release", repeats: true) }
  static var tap: Flag<String> { .text("tap", "SELECTOR", "tap it with a finger", repeats: true) }
  static var longPress: Flag<String> {
    .text("long-press", "SELECTOR", "press it for 600 ms with a finger", repeats: true)
  }
  static var hover: Flag<String> {
    .text("hover", "SELECTOR", "move the mouse onto it", repeats: true)
  }
  static var press: Flag<String> {
    .text("press", "KEY", "a key: Enter, Escape, Tab, ArrowDown, …, a letter", repeats: true)
  }
  static var wait: Flag<String> { .text("wait", "MS", "wait", repeats: true) }
  static var swipe: Flag<String> {
    .text("swipe", "SELECTOR WAY", "flick it within 120 ms", repeats: true)
  }
  static var drag: Flag<String> {
    .text("drag", "SELECTOR WAY", "drag it within 420 ms", repeats: true)
  }
  static var pinch: Flag<String> {
    .text(
      "pinch", "SELECTOR SCALE", "two fingers about its middle: open by 2, close by 0.5",
      repeats: true)
  }
  static var wheel: Flag<String> {
    .text("wheel", "SELECTOR DX,DY", "turn the wheel over it, down by 0,300", repeats: true)
  }
  static var gesture: Flag<String> {
    .text(
      "gesture", "FILE[#SESSION]", "touches of a gesture file or a recording, as recorded",
      repeats: true)
  }

  // MARK: Of an action

  static var speed: Flag<String> {
    .text("speed", "SPEED", "flick (120 ms), drag (420 ms) or MS", repeats: true)
      .offering(["flick", "drag"])
  }
  static var from: Flag<String> {
    .text(
      "from", "X,Y", "the position from the element's upper left corner, instead of its middle",
      repeats: true)
  }
  static var hold: Flag<String> {
    .text(
      "hold", "MS", "hold still before the lift; of a click or tap the whole press (80 ms)",
      repeats: true)
  }
  static var holdFirst: Flag<String> {
    .text("hold-first", "MS", "hold still after the landing, then move", repeats: true)
  }
  static var path: Flag<String> {
    .text(
      "path", "PATH", "throw (fastest at the lift), drag (slow at both ends) or even",
      repeats: true
    ).offering(["throw", "drag", "even"])
  }
  static var on: Flag<String> {
    .text("on", "SELECTOR", "where the gesture's first touch lands", repeats: true)
  }
  static var scale: Flag<String> {
    .text("scale", "S", "how much larger the gesture's distances are", repeats: true)
  }

  // MARK: The page

  static var viewport: Flag<(width: Int, height: Int)> {
    Flag("viewport", "WxH", "the size of the window in px") { text, name in
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard sides.count == 2, let width = sides[0], let height = sides[1],
        PageSettings.sizes.contains(width), PageSettings.sizes.contains(height)
      else {
        throw Failure.usage(
          "--\(name) must be a size such as 390x844, each side from \(PageSettings.sizes.lowerBound) to "
            + "\(PageSettings.sizes.upperBound) px (got '\(text)')")
      }
      return (width, height)
    }.standard("390x844")
  }
  static var touch: Flag<Bool> { .toggle("touch", "a finger, the default below 700 px of width") }
  static var mouse: Flag<Bool> { .toggle("mouse", "a mouse") }
  static var dpr: Flag<Double> {
    number("dpr", "N", "dots of the screen for each px", in: PageSettings.ratios).standard("1")
  }
  static var reducedMotion: Flag<Bool> {
    .toggle("reduced-motion", "as if the person asked for less motion")
  }
  static var dark: Flag<Bool> { .toggle("dark", "as if the person asked for dark colors") }
  static var cpu: Flag<Double> {
    number(
      "cpu", "N", "on the clock real: how many times slower the processor is",
      in: PageSettings.slowdowns
    )
    .standard("1")
  }
  static var clock: Flag<WatchClock> {
    .choice("clock", "CLOCK", "auto, steady or real").standard("auto")
  }
  static var headed: Flag<Bool> { .toggle("headed", "on the clock real: show the window") }
  static var loopbackOnly: Flag<Bool> {
    .toggle(
      "loopback-only",
      "refuse pages, frames, windows, scripts, fonts and other files of other machines")
  }
  static var filesBelow: Flag<String> {
    .text("files-below", "FOLDER", "refuse file: addresses outside of this folder")
  }
  static var browser: Flag<String> {
    .text("browser", "PATH", "the browser, instead of KYMO_BROWSER or the first that is found")
  }

  // MARK: The recording

  static var items: Flag<String> {
    .text("items", "SELECTOR", "the elements to record, or auto for those that move")
      .standard(WebScript.standardItems)
  }
  /// Seconds.
  static var restLimit: Flag<Int64> {
    .time("for", "TIME", "the longest wait for rest after the last action").standard("5")
      .checked { time, name in
        guard time > 0, time <= 30_000_000_000 else {
          throw Failure.usage("--\(name) must be above 0 and at most 30 s")
        }
      }
  }
  static var times: Flag<Int> {
    .wholeNumber(
      "times", "N", in: 1...20, "repeat it at N phases of a frame, and print the worst"
    ).standard("1")
  }
  static var again: Flag<String> {
    .text("again", "FILE[#SESSION]", "repeat the actions of a recording of kymo watch")
  }

  static var against: Flag<String> {
    .text(
      "against", "PAGE", "compare with another page, or with a recording FILE.kymo#SESSION")
  }

  static var allow: Flag<String> {
    .text(
      "allow", "FAULT[:ELEMENT]",
      "excuse a known fault, such as 'slow rest:#sheet', or those in the lines of @FILE",
      repeats: true)
  }

  static var sarif: Flag<String> {
    .text("sarif", "FILE", "also write the faults as SARIF, for code scanning").inSection(.output)
  }

  static var pageFile: Flag<String> {
    .text("page", "FILE.html", "also write the report that plays it").inSection(.output)
  }

  private static func number(
    _ name: String, _ value: String, _ help: String, in range: ClosedRange<Double>
  ) -> Flag<Double> {
    Flag<Double>.number(name, value, help).checked { number, name in
      guard range.contains(number) else {
        throw Failure.usage(
          "--\(name) must be from \(FieldValue.jsonNumber(range.lowerBound)) to "
            + "\(FieldValue.jsonNumber(range.upperBound)) (got '\(FieldValue.jsonNumber(number))')")
      }
    }
  }

  // MARK: Lists

  static var actions: [FlagDeclaration] {
    [
      click, tap, longPress, hover, press, wait, swipe, drag, pinch, wheel, gesture, speed, from,
      hold, holdFirst, path, on, scale,
    ].flatMap(\.declarations).inSection(.actions)
  }
  static var page: [FlagDeclaration] {
    (viewport.declarations + touch.declarations + mouse.declarations + dpr.declarations
      + reducedMotion.declarations + dark.declarations + cpu.declarations + clock.declarations
      + headed.declarations + browser.declarations + loopbackOnly.declarations
      + filesBelow.declarations).inSection(.page)
  }
  static var recording: [FlagDeclaration] {
    items.declarations + restLimit.declarations + times.declarations + again.declarations
      + against.declarations + allow.declarations + Flags.requirements.declarations
      + pageFile.declarations + Flags.junit.declarations + sarif.declarations
      + Flags.into.declarations + Flags.allLines.declarations
      + Flags.json.described("print a JSON object").declarations
  }
}

/// The clock that is asked for.
enum WatchClock: String, CaseIterable {
  case auto
  case steady
  case real
}

private func runWatch(_ invocation: Invocation) throws -> ExitCode {
  let plan = try WatchPlan(invocation)
  if invocation.console.ownsProcess { ReadingInterrupt.handle() }
  return try WatchRun(plan, invocation).run()
}
