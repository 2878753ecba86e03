import KymographCLibrary
import ProcessSpawning

/// A browser that this program started: a process group of its own, two pipes, and a profile that is the caller's folder.
///
/// It opens no port. It ends with this value, and by itself if this program ends without a word, since its pipe closes.
package final class Browser {
  /// The protocol's client.
  package let connection: DevToolsConnection
  private let process: ChildProcess
  private var hasEnded = false

  /// How it is started.
  package struct Settings: Sendable {
    package var path: String
    /// An empty private folder, which the caller removes after the browser's end.
    package var profile: String
    /// Its variables, each as `NAME=VALUE`.
    package var environment: [String]
    /// Whether frames and time are given by hand, which a headless shell alone can do.
    package var isSteady: Bool
    /// Whether it has a window on the screen.
    package var isHeaded: Bool
    /// The only hosts that it finds. `nil`: all.
    package var hosts: [String]?

    package init(
      path: String, profile: String, environment: [String], isSteady: Bool, isHeaded: Bool = false,
      hosts: [String]? = nil
    ) {
      (self.path, self.profile, self.environment) = (path, profile, environment)
      (self.isSteady, self.isHeaded, self.hosts) = (isSteady, isHeaded, hosts)
    }

    /// Whether the browser runs without its sandbox: its own rule for the system's first user.
    package static var isWithoutSandbox: Bool { geteuid() == 0 }

    /// What the browser does without.
    private var omissions: String {
      let others = ["Translate", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider"]
      guard isSteady else { return others.joined(separator: ",") }
      // Both wait for time that does not pass while a frame is made. While a finger may scroll, a frame waits a third of its
      // length for more moves. After a key or a button, tasks such as messages wait until a frame shows something new.
      let waits = ["WaitForLateScrollEvents", "DeferRendererTasksAfterInput"]
      return (others + waits).joined(separator: ",")
    }

    /// The words that it is started with.
    var arguments: [String] {
      var words = [
        path, "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run",
        "--no-default-browser-check", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-default-apps",
        "--disable-extensions", "--metrics-recording-only",
        "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
        "--disable-backgrounding-occluded-windows", "--hide-scrollbars", "--mute-audio",
        "--deny-permission-prompts", "--disable-breakpad",
        "--disable-features=\(omissions)",
      ]
      if !isHeaded { words += ["--headless=new", "--disable-gpu"] }
      if Self.isWithoutSandbox { words.append("--no-sandbox") }
      if let hosts {
        // Neither a name nor an address of another host is found: for frames, windows, workers and sockets, too.
        let rules = ["MAP * ~NOTFOUND"] + hosts.map { "EXCLUDE \($0)" }
        words += [
          "--host-resolver-rules=\(rules.joined(separator: ", "))", "--no-proxy-server",
          "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        ]
      }
      if isSteady {
        words += [
          "--enable-begin-frame-control", "--run-all-compositor-stages-before-draw",
          "--disable-new-content-rendering-timeout", "--disable-threaded-animation",
          "--disable-threaded-scrolling", "--disable-checker-imaging",
          // An animated picture, such as a GIF, now and then keeps a frame from ending. None of it can be read anyway.
          "--blink-settings=imageAnimationPolicy=2",
        ]
      }
      return words + ["about:blank"]
    }
  }

  /// How long a browser that was asked to end may take, before its group is ended.
  package static let patience = Duration.seconds(2)

  /// Starts a browser.
  ///
  /// - Parameter isInterrupted: Whether somebody has asked for an end. Each wait then ends.
  /// - Throws: ``BrowserError``: it cannot be started, or does not answer.
  package init(
    _ settings: Settings, isInterrupted: @escaping () -> Bool = { false }
  ) throws(BrowserError) {
    guard let requests = PipeEnds() else { throw Self.noPipe() }
    guard let answers = PipeEnds() else {
      let error = Self.noPipe()
      for end in [requests.reading, requests.writing] { close(end) }
      throw error
    }
    let words = settings.profile + "/last-words"
    let log = openFile(forChild: words, O_WRONLY | O_CREAT)
    let nothing = openFile(forChild: "/dev/null", O_RDWR)
    var descriptors = [(ours: requests.reading, theirs: Int32(3)), (answers.writing, 4)]
    if nothing >= 0 { descriptors += [(nothing, STDIN_FILENO), (nothing, STDOUT_FILENO)] }
    if log >= 0 || nothing >= 0 { descriptors.append((log >= 0 ? log : nothing, STDERR_FILENO)) }
    let theirs = [requests.reading, answers.writing, log, nothing]
    do {
      process = try ChildProcess(
        starting: settings.path, arguments: settings.arguments,
        environment: settings.environment, descriptors: descriptors, hasOwnGroup: true)
    } catch {
      for end in theirs + [requests.writing, answers.reading] where end >= 0 { close(end) }
      throw BrowserError(
        .browser, "\(settings.path) cannot be started: \(error.reason). Name another with --browser"
      )
    }
    // Only the browser keeps them, so that its end is seen.
    for end in theirs where end >= 0 { close(end) }
    connection = DevToolsConnection(
      reading: answers.reading, writing: requests.writing, isInterrupted: isInterrupted,
      lastWords: { Self.lastLine(of: words) })
    // A browser that does not speak is found before anything is asked of it.
    try connection.call("Browser.getVersion")
  }

  deinit { end() }

  /// Ends it: it is asked to, and its group is ended if it does not.
  ///
  /// - Parameter patience: How long it may take to end by itself.
  package func end(within patience: Duration = Browser.patience) {
    guard !hasEnded else { return }
    hasEnded = true
    _ = try? connection.send("Browser.close")
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
      if process.statusIfEnded() != nil {
        // A child that it started may be left.
        kill(-process.pid, SIGKILL)
        return
      }
      // A pipe that is full would keep it from ending.
      _ = try? connection.read(for: .milliseconds(10))
      usleep(2000)
    }
    kill(-process.pid, SIGKILL)
    process.waitForEnd()
  }

  private static func noPipe() -> BrowserError {
    BrowserError(
      .browser, "no pipe to a browser can be made: \(String(cString: strerror(errno)))")
  }

  /// The last line of a text file that is not blank, of its last 2,000 bytes.
  private static func lastLine(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 2000)
    let length = lseek(descriptor, 0, SEEK_END)
    lseek(descriptor, max(0, length - off_t(bytes.count)), SEEK_SET)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
      .last { $0.contains { !$0.isWhitespace } }.map(String.init)
  }
}
