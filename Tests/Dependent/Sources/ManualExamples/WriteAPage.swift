../../ ../ KymographTests / WriteAPage.swift
