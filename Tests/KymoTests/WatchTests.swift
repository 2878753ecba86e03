import Foundation
import JSONText
import MotionJudgement
import PageBrowser
import TestSupport
import Testing

/// A browser of this machine, for tests that need one.
enum BrowserOnMachine {
  static let hasShell =
    (try? BrowserSearch { ProcessInfo.processInfo.environment[$0] }
      .path(named: nil, for: .steady)) != nil
}

/// `kymo watch`: its words, and what it makes of a page.
@Suite struct WatchTests {
  let place: Workplace
  private let sheet = fixture("pages/watch/sheet.html")

  init() throws {
    place = try Workplace()
  }

  /// The lines on standard error, without those about the sandbox and about pages that know nothing of phones.
  private func notes(_ run: ProgramRun) -> [String] {
    run.errors.split(separator: "\n").map(String.init).filter {
      !$0.contains("sandbox") && !$0.contains("viewport meta")
    }
  }

  // MARK: Without a browser

  @Test(arguments: [
    (
      ["--speed", "100"],
      "--speed belongs to an action before it. Put it after --swipe or --drag or --pinch"
    ),
    (
      ["--hover", "#a", "--hold", "9"],
      "--hold belongs to an action before it. Put it after --swipe or --drag or --pinch or --click or --tap or --long-press"
    ),
    (
      ["--pinch", "#a", "1"],
      "--pinch must end with a scale from 0.1 to 10, above 1 to open (got '1')"
    ),
    (["--wheel", "#a", "down"], "--wheel must end with DX,DY in px such as 0,300 (got 'down')"),
    (
      ["--mouse", "--tap", "#a"],
      "--tap, --long-press and --pinch are fingers. Remove --mouse, or use --click, --hold and --wheel"
    ),
    (["--swipe", "#a"], "missing value: --swipe SELECTOR WAY"),
    (
      ["--drag", "#a", "0,0"],
      "--drag must be up, down, left, right or DX,DY in px such as 0,-240 (got '0,0')"
    ),
    (
      ["--drag", "#a", "up", "--speed", "slow"],
      "--speed must be from 16 to 30000 ms, such as 150 or 150ms (got 'slow')"
    ),
    (
      ["--drag", "#a", "up", "--path", "even2"],
      "--path: unknown value 'even2'. Did you mean even?"
    ),
    (
      ["--click", "#a", "--from", "7"],
      "--from must be a position X,Y in px such as 10,20 (got '7')"
    ),
    (["--wait", "2min"], "--wait must be from 0 to 60000 ms, such as 150 or 150ms (got '2min')"),
    (["--click", ""], "--click needs a selector. Write #ID, .CLASS or [ATTRIBUTE]"),
    (["--touch", "--mouse"], "--touch and --mouse cannot be combined. Remove one of them"),
    (["--cpu", "4", "--clock", "steady"], "--cpu needs the real clock. Remove --clock steady"),
    (
      ["--viewport", "9x9"],
      "--viewport must be a size such as 390x844, each side from 50 to 10000 px (got '9x9')"
    ),
  ])
  func `a call that is put wrongly is told in a sentence`(words: [String], message: String) throws {
    let run = try kymo(["watch", sheet] + words)
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors == "kymo watch: \(message)\n")
  }

  @Test func `without a browser the error says what to install`() throws {
    let none = ["PATH": place.folder.url.path, "HOME": place.folder.url.path, "KYMO_BROWSER": ""]
    let run = try kymo(["watch", sheet, "--click", "#go"], environment: none)
    #expect(run.code == 4)
    #expect(
      run.errors.hasPrefix("kymo watch: no browser: install Chromium, or name one with --browser"))
    let steady = try kymo(["watch", sheet, "--clock", "steady"], environment: none)
    #expect(steady.code == 4)
    #expect(
      steady.errors
        == "kymo watch: no headless shell: install chromium-headless-shell, name it with --browser, "
        + "or use --clock real\n")
  }

  @Test func `an address or a page alone is watched, and other schemes are refused`() throws {
    let none = ["PATH": place.folder.url.path, "KYMO_BROWSER": "/none"]
    for page in [sheet, "http://localhost:1", "file://\(sheet)"] {
      let run = try kymo([page], environment: none)
      #expect(run.errors.hasPrefix("kymo watch: no browser: /none"), "\(run.errors)")
    }
    let run = try kymo("watch", "chrome://version")
    #expect(run.code == 2)
    #expect(run.errors.contains("Begin an address with http://, https:// or file://"))
  }

  @Test func `a recording of something else cannot be repeated`() throws {
    let path = try place.record(
      Scenarios.drag, gesture: "drag-rest.evemu", into: "drag.kymo")
    let run = try kymo("watch", "--again", path)
    #expect(run.code == 2)
    #expect(
      run.errors
        == "kymo watch: \(path) has no recorded actions on a page. Name a recording of kymo watch\n"
    )
  }
}

extension WatchTests {
  @Suite(.enabled(if: BrowserOnMachine.hasShell, "this machine has no headless shell"))
  struct InABrowser {
    let place: Workplace
    private let sheet = fixture("pages/watch/sheet.html")

    init() throws {
      place = try Workplace()
    }

    @Test func `the actions come first, then the verdict and the facts`() throws {
      let run = try kymo(
        "watch", sheet, "--drag", "#sheet", "0,-100", "--speed", "200ms", "--wait", "50")
      #expect(run.code == 0, "\(run.errors)")
      let lines = run.output.split(separator: "\n")
      #expect(lines[0] == "did: drag on #sheet by (0, -100) px in 200 ms; wait 50 ms")
      #expect(lines[1] == "motion: no faults")
      #expect(lines[2].hasPrefix("  sheet: rests at -100 px, in the finger's direction; "))
      #expect(lines[3].hasPrefix("  sheet: follows y, "), "\(run.output)")
      #expect(run.output.contains("sheet: stays where it was let go"), "\(run.output)")
    }

    @Test func `the same call prints the same bytes`() throws {
      let runs = try (0..<2).map { _ in try kymo("watch", sheet, "--swipe", "#sheet", "up") }
      #expect(runs[0].code == 0)
      #expect(runs[0].output == runs[1].output)
    }

    @Test func `what was recorded can be repeated, and its gesture done elsewhere`() throws {
      let path = place.path("first.kymo")
      let first = try kymo(
        "watch", sheet, "--swipe", "#sheet", "up", "--from", "50,60", "--into", path)
      #expect(first.code == 0, "\(first.errors)")
      let copies = [
        ["watch", "--again", path, "--into", place.path("again.kymo")],
        ["watch", sheet, "--gesture", path, "--into", place.path("gesture.kymo")],
      ]
      // When a page hears of a place depends on the browser; where and when it was sent does not.
      func touches(_ path: String) throws -> [[JSONValue]] {
        try answers("list touches", path).map { row in ["t_ns", "phase", "x", "y"].map { row[$0] } }
      }
      for words in copies {
        let run = try kymo(words)
        #expect(run.code == 0, "\(run.errors)")
        #expect(try touches(words.last ?? "") == touches(path))
      }
      #expect(try touches(path).count > 8)
    }

    @Test func `several phases of a frame are several sessions`() throws {
      let path = place.path("times.kymo")
      let run = try kymo(
        "watch", sheet, "--swipe", "#sheet", "up", "--times", "3", "--into", path)
      #expect(run.code == 0, "\(run.errors)")
      #expect(try answers("list sessions", path).count == 3)
    }

    @Test func `an element that is missing ends with 4, and leaves no recording`() throws {
      let path = place.path("none.kymo")
      let run = try kymo("watch", sheet, "--click", "#sheep", "--into", path)
      #expect(run.code == 4)
      #expect(run.output == "")
      #expect(
        run.errors.hasSuffix(
          "kymo watch: #sheep: not found; there are #sheet, #next, #go, #handle\n"))
      #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `one JSON object has it all`() throws {
      let run = try kymo("watch", sheet, "--click", "#go", "--json")
      let answer = try parseJSON(Array(run.output.utf8))
      #expect(answer["version"].integer == 1)
      #expect(answer["did"].text == "click #go")
      #expect(answer["clock"].text == "steady")
      #expect(answer["verdict"].text == "no faults")
      #expect(
        answer["facts"].array.contains { $0["what"].text == "moves" || $0["what"].text == "start" })
    }

    @Test func `against another page or a recording the differences come first`() throws {
      let page = URL(fileURLWithPath: fixture("pages/watch/menu-linear.html")).absoluteString
      let words = ["watch", page + "#clean", "--click", "#go"]
      let kept = place.path("kept.kymo")
      #expect(try kymo(words + ["--into", kept]).code == 0)
      let (junit, sarif) = (place.path("watch.xml"), place.path("watch.sarif"))
      let speed = "moves at constant speed for 400 ms and stops dead (linear)"
      for (shown, other, head) in [
        (page + "#clean", kept, "the same as kept.kymo"),
        (page + "#clean", page, "the same as menu-linear.html, 2 mended"),
        (page, kept, "2 differences to kept.kymo"),
      ] {
        let run = try kymo(
          "watch", shown, "--click", "#go", "--against", other, "--junit", junit, "--sarif", sarif)
        let isSame = shown != page
        #expect(run.code == (isSame ? 0 : 1), "\(run.output) \(run.errors)")
        #expect(run.output.split(separator: "\n").first.map(String.init) == head, "\(run.output)")
        #expect(run.output.utf8.count <= 2000)
        #expect(run.output.contains("  menu: mended: in the other: \(speed)") == (other == page))
        let scanned = try parseJSON(Array(Data(contentsOf: URL(fileURLWithPath: sarif))))
        #expect(scanned["version"].text == "2.1.0")
        let scan = try #require(scanned["runs"].array.first)
        #expect(scan["tool"]["driver"]["name"].text == "kymo")
        #expect(scan["tool"]["driver"]["rules"].array.count == MotionFault.all.count)
        #expect(scan["results"].array.isEmpty == isSame)
        for result in scan["results"].array {
          let location = try #require(result["locations"].array.first)
          let file = location["physicalLocation"]
          #expect(MotionFault.all.contains { $0.id == result["ruleId"].text })
          #expect(file["artifactLocation"]["uri"].text?.contains("menu-linear.html") == true)
          #expect(file["region"]["startLine"] == .integer(1))
          #expect(location["logicalLocations"].array.first?["name"].text == "menu")
        }
        let xml = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(xml.contains("failures=\"\(isSame ? 0 : 1)\""), "\(xml)")
        // A fault that is new is told by its own sentence.
        #expect(
          xml.contains("<failure message=\"menu: \(speed), in the other not\">") == !isSame,
          "\(xml)")
      }
    }

    @Test func `requirements are judged with the faults, and a page is written`() throws {
      let rules = try place.file(
        "rules.json",
        """
        {"requirements": 1, "rules": [
          {"settles_by": "item.menu.center.y", "from": "start", "by_ms": 10},
          {"overshoot": "item.menu.center.y", "max_percent": 5}
        ]}
        """)
      let menu = URL(fileURLWithPath: fixture("pages/watch/menu-linear.html")).absoluteString
      let page = place.path("page.html")
      let run = try kymo(
        "watch", menu + "#clean", "--click", "#go", "--requirements", rules, "--page", page)
      #expect(run.code == 1, "\(run.output) \(run.errors)")
      let lines = run.output.split(separator: "\n")
      #expect(lines[0] == "1 of 2 requirements met", "\(run.output)")
      #expect(lines[1].hasPrefix("! requirement: item.menu.center.y: settled_ms "), "\(run.output)")
      #expect(run.output.contains("\nmotion: no faults\n"))
      #expect(try String(contentsOfFile: page, encoding: .utf8).contains("menu"))
      let missing = try kymo("watch", menu, "--click", "#go", "--requirements", page + ".none")
      #expect(missing.code == 4)
      #expect(missing.output == "")
    }

    @Test(arguments: [404, 500])
    func `a page that the server refuses is told with its status, and watched all the same`(
      status: Int
    ) throws {
      let server = try TinyServer(
        status: status, body: "<title>Sorry</title><p id=sorry>There is nothing here</p>")
      let run = try kymo("watch", server.address, "--click", "#sorry", "--json")
      #expect(run.code == 1, "\(run.errors)")
      #expect(
        run.output.contains("\"did\":\"click #sorry; the server answered with \(status)\""),
        "\(run.output)")
      #expect(run.output.contains("nothing moves after the click"), "\(run.output)")
      let fine = try TinyServer(status: 200, body: "<p id=fine>Here it is</p>")
      let other = try kymo("watch", fine.address, "--click", "#fine")
      #expect(!other.output.contains("the server answered"), "\(other.output)")
    }

    #if os(Linux)
      @Test func `a page whose process is killed has crashed, and what was recorded is kept`()
        throws
      {
        let path = place.path("crashed.kymo")
        let (process, _) = try started(with: ["--into", path])
        // The first may be one that the browser keeps in reserve, and no page's.
        while process.isRunning {
          _ = RunningProcess.killRenderers(of: process.processIdentifier)
          usleep(1000)
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 4)
        let errors = try String(contentsOfFile: place.path("errors"), encoding: .utf8)
        #expect(
          errors.contains("kymo watch: the page crashed. Try it with --clock real"), "\(errors)")
        if FileManager.default.fileExists(atPath: path) {
          #expect(errors.contains("crashed.kymo has the recording until then"), "\(errors)")
          #expect(try kymo("show", path).code == 0)
        }
      }
    #endif

    private func names(in folder: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder)
    }

    /// A program that waits on a page, in a browser that has made its profile, and its folder for temporary files.
    private func started(with words: [String] = []) throws -> (process: Process, folder: String) {
      let folder = place.path("temporary")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let process = Process()
      process.executableURL = builtProgram("kymo")
      process.arguments = ["watch", sheet, "--wait", "60000", "--press", "Enter"] + words
      process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      try Data().write(to: URL(fileURLWithPath: place.path("errors")))
      process.standardError = FileHandle(forWritingAtPath: place.path("errors"))
      try process.run()
      while try !names(in: folder).contains(where: { $0.hasSuffix("/last-words") }),
        process.isRunning
      {
        usleep(1000)
      }
      return (process, folder)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends it with 130, and takes the browser and its folder away`(
      signal: Int32
    ) throws {
      let (process, folder) = try started()
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 130)
      #expect(try names(in: folder) == [])
    }

    @Test func `what a killed watch left goes with the next one, and nothing else does`() throws {
      let (process, folder) = try started()
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      func tops() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      }
      let (dead, left) = (process.processIdentifier, try tops())
      #expect(!left.isEmpty, "\(left)")
      #expect(left.allSatisfy { $0.hasPrefix("kymo-\(dead)-") }, "\(left)")
      let others = [
        "kymo-\(getpid())-living", "kymo-\(dead)-longer-", "kymo-\(dead)-locked",
        "kymo-0\(dead)-zeroed",
        "kymo-app", "other-\(dead)-foldrs",
      ]
      for name in others {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
      }
      // A lock of somebody whose number of a process means nothing here.
      let lock = open("\(folder)/kymo-\(dead)-locked/.kymo-owner", O_RDWR | O_CREAT, 0o600)
      #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
      defer { close(lock) }
      // A folder without its owner is removed also if the number of its process is in use again.
      let again = "\(folder)/kymo-\(getpid())-unheld"
      try FileManager.default.createDirectory(atPath: again, withIntermediateDirectories: false)
      try Data().write(to: URL(fileURLWithPath: again + "/.kymo-owner"))
      let target = place.path("target")
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/kymo-\(dead)-linked", withDestinationPath: target)
      try Data().write(to: URL(fileURLWithPath: "\(folder)/kymo-\(dead)-a-file"))
      try Data().write(to: URL(fileURLWithPath: "\(folder)/kymo-\(dead)-filing"))
      let run = try program(["watch", sheet, "--click", "#go"], environment: ["TMPDIR": folder])
      #expect(run.code == 0, "\(run.errors)")
      #expect(
        try tops()
          == (others + ["a-file", "filing", "linked"].map { "kymo-\(dead)-\($0)" }).sorted())
      #expect(FileManager.default.fileExists(atPath: target))
    }
  }
}
