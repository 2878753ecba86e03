/// What a redaction lets through: words that the engine, the recorder and `kymo` use by themselves.
/// Whatever is not on these lists came from an app or a person.
enum RedactionWords {
  /// Names of events.
  static let events = words(
    """
    gestureBegan gestureEnded gestureCancelled start invalidate finish cancel decision settle install
    completion scroll layoutCall update reload bounds inset animation animationCompletion retarget queued
    push pop willShow didShow pinch mark error warning
    video video.lost video.found video.repeated video.held video.lift
    """)

  /// Fields of events and parameters, but those in ``keyFields`` and ``ownFields``: their texts are words
  /// of ``others``.
  static let fields = words(
    """
    after ageMeasure ageOrigin animated animation answerForTooFew backward before call cause
    clampMaximum clampMinimum code completed completionSpeed contacts contentInset contentOffset counts
    crossVelocity damping decelerationRate definition delete deleteSection distance duplicates duration
    duration_s easing elements estimator filterStep_ns finished history horizonIncludesItsEnd horizon_ns
    idleDecayPerMillisecond inPlace indexPath indexPaths insert insertSection interactive item kind
    liftGap_ns mass maximumVelocity mergeSpan_ns minimumSamples minimumVelocity move moveSection
    operations outputLength overshoot reason recognizer reentry reloadSection sections settleTime_s size stiffness
    stopGapIncludesItsEnd stopGap_ns target transforms type velocityThreshold waiting what window
    at at_ns bytes clip_from_ns clip_to_ns codec contact container decoder earliest_ns height latest_ns left pictures pixel_format
    scale start_s time_base top tracker tracks width
    """
  ).union(events).union(ReleaseDecision.columns)

  /// Fields whose texts are names of keys.
  static let keyFields = words("key keys")

  /// Fields whose texts are an app's or a person's.
  static let ownFields = words("file from id layout message name sha256 text to")

  /// Names of keys, and of what a key of an item (`item.NAME.alpha`) stands for.
  static let keys = words("progress PositionX PositionY display.interval")
  static let itemKeys = words(
    """
    alpha center.x center.y error_x error_y hidden height match opacity rotation scale seen width x y z zIndex
    """)

  /// Everything else: kinds of elements, layouts and gestures, reasons, codes, estimators, units.
  static let others = words(
    """
    1 1/s % deg Hz ms pt pt/ms pt/s px rad s
    android app auto bounds cancel cell changeInReloadedSection chromium circle componentwise compose
    continuous core-animation cosmic cubic decomposed decoration default deleteAndMove deleteTwice detached device
    disappearing appearing surviving brought reloaded moved visible discrete duplicateID ease ease-in
    ease-in-out ease-out easeIn easeInEaseOut easeInOut easeOut enlarged finish firefox fixed flow fluid
    flutter flutter-cupertino flutter-dismissible flyIn follow footer frames-skipped gnome header hyprland impulse
    impulse-2017 initialLayoutAttributes finalLayoutAttributes insertAndMove insertTwice int1 int2 ios3
    itemCountMismatch kalman-ca kalman-cv keep key-never-read key-never-set kwin kwin-overview last-two layout leaveOut
    leaveOutMovement legacy libadwaita lift line linear load-hook-without-effect lsq-span lsq1 lsq2 lsq2-restricted lsq3
    macos3 mean mean-steps mean5 merge motion moveTwice newestSample niri non-finite nonFinite none notALine notInTransition notSharing nothingToPop
    noDestination alreadyInTransition alreadyOnStack badValue omniwm one-euro pan pathOutOfRange pinch plain
    pop prepare prepareForTransition(from:) prepareForTransition(to:) prepare(forAnimatedBoundsChange:)
    prepare(forCollectionViewUpdates:) finalizeAnimatedBoundsChange finalizeCollectionViewUpdates
    finalizeLayoutTransition transitionDidEnd progress projection projection-discrete queue rebound refuse
    release reload reloadAndDelete reloadAndMove reloadTwice replace retarget rngh rule sample script
    sectionCountMismatch sectionOutOfRange segmentEnd settle-cut settling skip snapshot spring stack start
    step-end step-mean step-start supplementary swiftui time timing touch two-point undefined-layout unknown-item
    unknownItem unsuitableLayout update velocity virtual wave wayfire wlsq2-central wlsq2-delta wlsq2-recent
    wrongRoot wrongTransitionLayout zero backPressure longLog diskFull checkpointFailed busy writeFailed
    covered end faded
    frameThreads gestureLoss jump-both jump-end jump-none jump-start
    """
  ).union(
    [
      "quadratic", "cubic", "quartic", "quintic", "sine", "circular", "exponential", "elastic",
      "back",
    ]
    .flatMap { family in ["In", "Out", "InOut"].map { family + $0 } }
      + ["bounceIn", "bounceOut", "bounceInOut", ""])

  /// Whether a text is one of ``others``, or an easing curve of numbers: `cubic-bezier(0.5,0,1,0.5)`.
  static func isWord(_ text: String) -> Bool {
    if others.contains(text) { return true }
    guard let open = text.firstIndex(of: "("), text.last == ")",
      ["cubic-bezier", "steps"].contains(text[..<open])
    else { return false }
    return text[text.index(after: open)...].dropLast().split(separator: ",").allSatisfy {
      Double($0) != nil || others.contains(String($0))
    }
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
  }
}
