../../ ../ KymoTests / DriveATransition.swift
